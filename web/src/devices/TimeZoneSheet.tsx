import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../platform/language.ts';
import { dateFormat } from '../platform/intl.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { type Press, usePending } from '../ui/feedback/pending.ts';
import { Button, Spinner } from '../ui/layout/Button.tsx';
import { CheckIcon, ReloadIcon } from '../ui/layout/icons.ts';
import { SearchBar } from '../ui/list/SearchBar.tsx';
import { EmptyState } from '../ui/feedback/States.tsx';
import { useNow } from '../ui/format/time.tsx';
import { VirtualRows } from '../ui/list/VirtualRows.tsx';
import style from './TimeZoneSheet.module.css';

interface TimeZoneSheetProps {
  title: string;
  /** The zone so far; undefined when there are many. */
  present: string | undefined;
  /** True when it went well: the sheet closes. */
  onPick: (timeZone: string) => Promise<boolean>;
  /** Returns to the zone that the player reports. */
  onReported?: () => Promise<boolean>;
  onClose: () => void;
}

/** Sets the time zone by which devices read schedules and their expiry date. */
export function TimeZoneSheet({ title, present, onPick, onReported, onClose }: TimeZoneSheetProps) {
  const { t } = useTranslation('devices');
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const zones = useZones(q, present);
  const pick = async (timeZone: string) => {
    if (timeZone === present || (await onPick(timeZone))) onClose();
  };
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={t('searchTimeZone')} />
      {onReported && (
        <Button icon={<ReloadIcon />} onClick={async () => (await onReported()) && onClose()}>
          {t('zoneReported')}
        </Button>
      )}
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
            render={({ id }) => <Zone zone={id} chosen={id === present} onPick={() => pick(id)} />}
          />
        )}
      </div>
    </Dialog>
  );
}

/** The zones that hold the words typed; the present one first. */
function useZones(q: string, present: string | undefined): { id: string }[] {
  return useMemo(() => {
    const words = q.toLowerCase().split(/[\s/_]+/);
    return [...new Set([...(present === undefined ? [] : [present]), 'UTC', ...Intl.supportedValuesOf('timeZone')])]
      .filter((id) => words.every((word) => id.toLowerCase().replaceAll('_', ' ').includes(word)))
      .map((id) => ({ id }));
  }, [q, present]);
}

function Zone({ zone, chosen, onPick }: { zone: string; chosen: boolean; onPick: Press }) {
  const { i18n } = useTranslation();
  const now = useNow();
  const { pending, press } = usePending();
  const clock = dateFormat(dateLocale(i18n.language), { timeZone: zone, timeStyle: 'short' }).format(now);
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
