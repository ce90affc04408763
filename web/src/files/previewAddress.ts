import { useLocation, useNavigate, useSearchParams } from 'react-router';

const NAME = 'preview';

/** Which file is shown full screen, kept in the address so that back closes it. */
export function usePreviewAddress() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const show = (id: string | undefined, replace: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (id === undefined) after.delete(NAME);
        else after.set(NAME, id);
        return after;
      },
      { replace, preventScrollReset: true, state: replace ? state : { opened: true } },
    );
  const openedHere = typeof state === 'object' && state !== null && 'opened' in state;
  return {
    shown: params.get(NAME) ?? undefined,
    open: (id: string) => show(id, false),
    replace: (id: string) => show(id, true),
    close: () => {
      if (openedHere) void navigate(-1);
      else show(undefined, true);
    },
  };
}
