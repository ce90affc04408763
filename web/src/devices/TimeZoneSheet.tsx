import type { Device } from '@ams/contract';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../platform/language.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { type Press, usePending } from '../ui/feedback/pending.ts';
import { Spinner } from '../ui/layout/Button.tsx';
import { CheckIcon } from '../ui/layout/icons.ts';
import { SearchBar } from '../ui/list/SearchBar.tsx';
import { EmptyState } from '../ui/feedback/States.tsx';
import { useNow } from '../ui/format/time.tsx';
import { VirtualRows } from '../ui/list/VirtualRows.tsx';
import { changeDevice } from './actions.ts';
import style from './TimeZoneSheet.module.css';

/** Sets the time zone by which a device reads schedules and its expiry date. */
export function TimeZoneSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const zones = useZones(q, device.timeZone);
  const pick = async (timeZone: string) => {
    if (timeZone === device.timeZone || (await changeDevice(device, { timeZone }, t('timeZoneChanged')))) onClose();
  };
  return (
    <Dialog kind="sheet" title={t('changeTimeZone')} onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={t('searchTimeZone')} />
      <div className={style.zones} ref={box}>
        {zones.length === 0 ? (
          <EmptyState title={t('noTimeZone')} />
        ) : (
          <VirtualRows
            items={zones}
            label={t('timeZone')}
            rowHeight={52}
            box={box}
            complete
            ready
            onEnd={() => undefined}
            render={({ id }) => <Zone zone={id} chosen={id === device.timeZone} onPick={() => pick(id)} />}
          />
        )}
      </div>
    </Dialog>
  );
}

/** The zones that hold the words typed; the present one first. */
function useZones(q: string, present: string): { id: string }[] {
  return useMemo(() => {
    const words = q.toLowerCase().split(/[\s/_]+/);
    return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
      .filter((id) => words.every((word) => id.toLowerCase().replaceAll('_', ' ').includes(word)))
      .map((id) => ({ id }));
  }, [q, present]);
}

function Zone({ zone, chosen, onPick }: { zone: string; chosen: boolean; onPick: Press }) {
  const { i18n } = useTranslation();
  const now = useNow();
  const { pending, press } = usePending();
  const clock = new Intl.DateTimeFormat(dateLocale(i18n.language), { timeZone: zone, timeStyle: 'short' }).format(now);
  return (
    <button
      type="button"
      className={style.zone}
      aria-pressed={chosen}
      aria-busy={pending || undefined}
      onClick={() => press(onPick)}
    >
      <span className="device">{zone.replaceAll('_', ' ')}</span>
      {pending ? <Spinner /> : chosen && <CheckIcon />}
      <span className="caption">{clock}</span>
    </button>
  );
}
