import {
  type Device,
  type DeviceProgramme,
  type DeviceVerdict,
  localTime,
  type Priority,
  prevents,
  type ProgrammeEntry,
  type ScreenDifference,
  zonedInstant,
} from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { numberFormat } from '../../platform/intl.ts';
import { Chips } from '../../ui/list/Chips.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { FieldFrame } from '../../ui/form/Field.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { VerdictLine } from '../VerdictLine.tsx';
import { CheckIcon, ClockIcon, PlayIcon, ScreenIcon } from '../../ui/layout/icons.ts';
import { useScheduleWords } from '../../ui/format/schedule.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Badge } from '../../ui/feedback/StateBadge.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/States.tsx';
import { programmeQuery, refreshAllReleases } from '../../queries/releases.ts';
import { SCREEN_NAME_TEXT } from '../Truths.tsx';
import { screenNames } from '../truths.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import style from './why.module.css';

const HOUR = 3_600_000;

/** The verdict on a device at a moment of its clock, its programme, and what that outranks. */
export function WhySheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  /** Milliseconds since 1970; undefined is now, and stays now. */
  const [at, setAt] = useState<number>();
  const programme = useQuery(programmeQuery(device.id, at));
  useLive('release', () => void refreshAllReleases());
  return (
    <Dialog kind="sheet" title={t('why')} onClose={onClose}>
      <div aria-live="polite" aria-busy={programme.isPending}>
        {programme.data ? (
          <VerdictLine verdict={programme.data.verdict} timeZone={programme.data.timeZone} />
        ) : programme.error ? (
          <ErrorState error={programme.error} onRetry={() => programme.refetch()} />
        ) : (
          <Skeleton height={40} />
        )}
      </div>
      <Moment timeZone={device.timeZone} at={at} onChange={setAt} />
      <div className={style.answer} aria-live="polite">
        {programme.data && <Answer device={device} programme={programme.data} />}
        {programme.isPending && <Skeleton height={96} />}
      </div>
    </Dialog>
  );
}

interface MomentProps {
  timeZone: string;
  at: number | undefined;
  onChange: (at: number | undefined) => void;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** An instant as the field of the browser writes it: by the clock of the device. */
function fieldOf(instant: number, timeZone: string): string {
  const { date, minutes } = localTime(instant, timeZone);
  return `${date}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function instantOf(field: string, timeZone: string): number | undefined {
  const [, date, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(field) ?? [];
  return date === undefined ? undefined : zonedInstant(date, Number(hours) * 60 + Number(minutes), timeZone);
}

const STEPS = [-24, -1, 1, 24] as const;

function Moment({ timeZone, at, onChange }: MomentProps) {
  const { t, i18n } = useTranslation('devices');
  const id = useId();
  const [opened] = useState(() => Date.now());
  const shown = at ?? opened;
  // The sign stands beside it: in some languages 'one day' has no number for it to stand at.
  const step = (hours: number): string => {
    const unit = Math.abs(hours) === 24 ? 'day' : 'hour';
    const format = numberFormat(i18n.language, { style: 'unit', unit, unitDisplay: 'short' });
    return `${hours < 0 ? '−' : '+'} ${format.format(1)}`;
  };
  return (
    <div className={style.moment}>
      <FieldFrame id={id} label={t('whyMoment')} hint={t('whyZone', { zone: timeZone.replaceAll('_', ' ') })}>
        <input
          id={id}
          type="datetime-local"
          className={style.field}
          value={fieldOf(shown, timeZone)}
          onChange={(event) => {
            const instant = instantOf(event.currentTarget.value, timeZone);
            if (instant !== undefined) onChange(instant);
          }}
        />
      </FieldFrame>
      <Chips
        label={t('whyMoment')}
        value={at === undefined ? 'now' : undefined}
        onChange={(value) => onChange(value === 'now' ? undefined : shown + Number(value) * HOUR)}
        options={[
          { value: 'now', label: t('whyNow') },
          ...STEPS.map((hours) => ({ value: String(hours), label: step(hours) })),
        ]}
      />
    </div>
  );
}

function Answer({ device, programme }: { device: Device; programme: DeviceProgramme }) {
  const { t } = useTranslation('devices');
  const names = screenNames(device);
  return (
    <>
      {names.map((name) => (
        <section key={name} className={style.screen}>
          {names.length > 1 && <h3>{t(SCREEN_NAME_TEXT[name])}</h3>}
          <Difference difference={programme.differences[name]} />
          <Entries entries={programme.screens[name]} verdict={programme.verdict} />
        </section>
      ))}
    </>
  );
}

const BECAUSE = {
  stale: 'whyStale',
  switching: 'whySwitching',
  failed: 'whyFailed',
  unknown: 'whyUnknown',
} as const satisfies Record<ScreenDifference['because'], string>;

/** What the device reports where that is something else than the rules say. */
function Difference({ difference }: { difference: ScreenDifference | null }) {
  const { t } = useTranslation('devices');
  if (!difference) return null;
  const { reported, because } = difference;
  return (
    <div data-testid="difference" data-because={because}>
      <Notice tone="primary" icon={<ScreenIcon />}>
        {reported ? t('whyReports', { ad: reported.name }) : t('whyReportsNothing')} {t(BECAUSE[because])}
      </Notice>
    </div>
  );
}

interface EntriesProps {
  entries: ProgrammeEntry[];
  verdict: DeviceVerdict;
}

/** How an entry stands: on screen, kept from it by the verdict or by missing files, or waiting for another reason. */
function standing(
  { verdict: { kind }, reported }: ProgrammeEntry,
  verdict: DeviceVerdict,
): 'plays' | 'would' | 'waits' {
  switch (kind) {
    case 'plays':
      return prevents(verdict.kind) && !(verdict.kind === 'failed' && reported) ? 'would' : 'plays';
    case 'incomplete':
      return 'would';
    case 'notScheduled':
    case 'outranked':
    case 'finished':
      return 'waits';
  }
}

const ORDER = { plays: 0, would: 1, waits: 2 };

function Entries({ entries, verdict }: EntriesProps) {
  const { t } = useTranslation('devices');
  if (entries.length === 0) return <EmptyState title={t('whyNothing')} />;
  const place = (entry: ProgrammeEntry) => ORDER[standing(entry, verdict)];
  return (
    <ol className={style.entries}>
      {entries
        .toSorted((a, b) => place(a) - place(b))
        .map((entry) => (
          <Entry key={entry.id} entry={entry} all={entries} stands={standing(entry, verdict)} />
        ))}
    </ol>
  );
}

interface EntryProps {
  entry: ProgrammeEntry;
  all: ProgrammeEntry[];
  stands: ReturnType<typeof standing>;
}

function Entry({ entry, all, stands }: EntryProps) {
  const { t } = useTranslation('devices');
  const { dateTime } = useFormat();
  const words = useScheduleWords();
  const because = useBecause();
  return (
    <li className={style.entry} data-testid="why" data-verdict={entry.verdict.kind} data-stands={stands}>
      <p className={style.name}>
        {entry.open ? (
          <Link to={`/releases/${entry.id}`}>
            <bdi>{entry.ad.name}</bdi>
          </Link>
        ) : (
          <strong dir="auto">{entry.ad.name}</strong>
        )}
        {stands === 'plays' ? (
          <Badge tone="good" icon={<PlayIcon />}>
            {t('whyPlays')}
          </Badge>
        ) : (
          <Badge icon={<ClockIcon />}>{t(stands === 'would' ? 'whyWould' : 'whyWaits')}</Badge>
        )}
      </p>
      <p className={style.because}>
        {stands === 'plays' && <CheckIcon />}
        {because(entry, all)}
      </p>
      <p className="caption">
        {words(entry.schedule)} · {dateTime(entry.releasedAt)}
        {entry.operator && <> · {entry.operator.username}</>}
      </p>
    </li>
  );
}

const OUTRANKED_TEXT = {
  takeover: 'whyTakeoverOther',
  urgent: 'whyUrgentOther',
  released: 'whyReleasedOther',
  replaced: 'whyReplaced',
} as const satisfies Record<Extract<ProgrammeEntry['verdict'], { kind: 'outranked' }>['why'], string>;

/** Why a release of a priority plays; a normal one plays for its place among the others. */
const PRIORITY_TEXT = {
  takeover: 'whyTakeover',
  urgent: 'whyUrgent',
  normal: undefined,
  default: 'whyDefault',
} as const satisfies Record<Priority, string | undefined>;

/** Why an entry plays, or what keeps it from the screen, in a sentence. */
function useBecause(): (entry: ProgrammeEntry, all: ProgrammeEntry[]) => string {
  const { t } = useTranslation('devices');
  return ({ verdict, priority, replace, playMode, operator, campaignId }, all) => {
    switch (verdict.kind) {
      case 'notScheduled':
        return t('whyNotScheduled');
      case 'incomplete':
        return t('whyIncomplete');
      case 'finished':
        return t('whyFinished');
      case 'outranked': {
        const ad = all.find(({ id }) => id === verdict.by)?.ad.name ?? '';
        return t(OUTRANKED_TEXT[verdict.why], { ad });
      }
      case 'plays': {
        const usual = campaignId ? 'whyCampaign' : replace ? 'whyNewest' : 'whyAdded';
        const text = PRIORITY_TEXT[priority] ?? usual;
        const reason = t(text, { username: operator?.username ?? '' });
        return playMode === 'once' ? `${reason} ${t('whyOnce')}` : reason;
      }
    }
  };
}
