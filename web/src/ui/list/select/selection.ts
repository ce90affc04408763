import { useState } from 'react';

/** `all`: whatever the list shows, also what is not loaded. */
export type Selection = { mode: 'off' } | { mode: 'on'; ids: ReadonlySet<string> } | { mode: 'all' };

/** Which items of a list are chosen. It ends by itself when `place` becomes another. */
export function useSelection(place: string) {
  const [{ at, selection }, set] = useState<{ at: string; selection: Selection }>({
    at: place,
    selection: { mode: 'off' },
  });
  const current: Selection = at === place ? selection : { mode: 'off' };
  const choose = (ids: Iterable<string>) => set({ at: place, selection: { mode: 'on', ids: new Set(ids) } });
  return {
    selection: current,
    choose,
    toggle: (id: string) => {
      const ids = new Set(current.mode === 'on' ? current.ids : []);
      if (!ids.delete(id)) ids.add(id);
      choose(ids);
    },
    chooseAll: () => set({ at: place, selection: { mode: 'all' } }),
    end: () => set({ at: place, selection: { mode: 'off' } }),
  };
}
