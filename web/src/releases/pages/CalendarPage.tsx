import { type Calendar, type CalendarClass, deviceLabel, localTime, type Screen, SCREENS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../platform/live.ts';
import { dateLocale } from '../../platform/language.ts';
import { browserZone, dateFormat } from '../../platform/intl.ts';
import { foundIn } from '../../platform/query.ts';
import { calendarQuery, type CalendarSubject } from '../../queries/calendar.ts';
import { deviceQuery } from '../../queries/devices.ts';
import { groupQuery } from '../../queries/groups.ts';
import { refreshAllReleases } from '../../queries/releases.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/States.tsx';
import { useNow } from '../../ui/format/time.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink, IconButton } from '../../ui/layout/Button.tsx';
import { BackIcon, NextIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { useDesk } from '../../ui/layout/wide.ts';
import { Chips } from '../../ui/list/Chips.tsx';
import { Agenda } from '../calendar/Agenda.tsx';
import { CALENDAR_VIEWS, type CalendarView, daysOf, rangeOf, stepFrom } from '../calendar/days.ts';
import { DayGrid } from '../calendar/DayGrid.tsx';
import style from '../calendar/calendar.module.css';

/** `/calendar`: what plays when on a `device` or a `group`; in the query also `view`, `date` and `screen`. */
export default function CalendarPage() {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { values } = useAddressFilter(['device', 'group']);
  if (values.device) return <DeviceCalendar key={values.device} id={values.device} />;
  if (values.group) return <GroupCalendar key={values.group} id={values.group} />;
  return (
    <Page title={common('calendar')} back="/mac">
      <EmptyState
        title={t('calendarChoose')}
        hint={t('calendarChooseHint')}
        action={<ButtonLink to="/mac">{common('menuDevices')}</ButtonLink>}
      />
    </Page>
  );
}

function DeviceCalendar({ id }: { id: string }) {
  const { data } = useQuery(deviceQuery(id));
  return (
    <CalendarFrame
      subject={{ device: id }}
      name={data && deviceLabel(data)}
      timeZone={data?.timeZone}
      back={`/mac/${id}`}
    />
  );
}

function GroupCalendar({ id }: { id: string }) {
  const { data } = useQuery(groupQuery(id));
  return <CalendarFrame subject={{ group: id }} name={data?.name} back="/groups" />;
}

interface CalendarFrameProps {
  subject: CalendarSubject;
  /** Undefined until it is known. */
  name: string | undefined;
  /** Of the device, whose days are shown. Undefined until it is known, and for a group, which may have several. */
  timeZone?: string | undefined;
  back: string;
}

function CalendarFrame({ subject, name, timeZone = browserZone(), back }: CalendarFrameProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const desk = useDesk();
  const address = useAddressFilter(['view', 'date']);
  const view = oneOf(CALENDAR_VIEWS, address.values.view) ?? 'week';
  const today = localTime(useNow(), timeZone).date;
  const given = address.values.date;
  const date =
    given !== undefined && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : today;
  const range = rangeOf(view, date);
  const asked = useQuery(calendarQuery(subject, range.from, range.to));
  const calendar = foundIn(asked);
  useLive('release', () => void refreshAllReleases());
  return (
    <Page
      title={name === undefined ? common('calendar') : t('calendarOf', { name })}
      back={back}
      desk={desk}
      bar={
        <Controls
          view={view}
          range={range}
          onView={(next) => address.set({ view: next })}
          onStep={(steps) => address.set({ date: steps === 0 ? undefined : stepFrom(view, date, steps) })}
        />
      }
    >
      {calendar ? (
        <Classes calendar={calendar} range={range} isComplete={!asked.isPlaceholderData} />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <Skeleton height={520} />
      )}
    </Page>
  );
}

interface ControlsProps {
  view: CalendarView;
  range: { from: string; to: string };
  onView: (view: CalendarView) => void;
  /** Days or weeks; 0: back to today. */
  onStep: (steps: number) => void;
}

function Controls({ view, range, onView, onStep }: ControlsProps) {
  const { t, i18n } = useTranslation('releases');
  const format = dateFormat(dateLocale(i18n.language), { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <div className={style.controls}>
      <IconButton label={t('calendarEarlier')} icon={<BackIcon className="turns" />} onClick={() => onStep(-1)} />
      <IconButton label={t('calendarLater')} icon={<NextIcon className="turns" />} onClick={() => onStep(1)} />
      <Button small onClick={() => onStep(0)}>
        {t('calendarToday')}
      </Button>
      <Choice
        label={t('calendarView')}
        value={view}
        onChange={onView}
        options={[
          { value: 'day', label: t('calendarDay') },
          { value: 'week', label: t('calendarWeek') },
        ]}
      />
      <span className={style.range} aria-live="polite">
        {format.formatRange(new Date(range.from), new Date(range.to))}
      </span>
    </div>
  );
}

interface ClassesProps {
  calendar: Calendar;
  range: { from: string; to: string };
  /** False while the calendar is of other days: nothing is known of these yet. */
  isComplete: boolean;
}

interface ClassCalendarProps extends ClassesProps {
  shown: CalendarClass;
}

/** The sets of devices, one at a time. */
function Classes(props: ClassesProps) {
  const { calendar, range } = props;
  const { t } = useTranslation('releases');
  const [chosen, setChosen] = useState('0');
  const { classes } = calendar;
  const shown = classes[Number(chosen)] ?? classes[0];
  if (!shown) return <EmptyState title={t('calendarNoDevices')} />;
  const rest = calendar.devices - classes.reduce((sum, each) => sum + each.devices, 0);
  return (
    <>
      {classes.length > 1 && (
        <Chips
          label={t('calendarSets')}
          value={chosen}
          onChange={(value) => setChosen(value ?? '0')}
          options={classes.map(({ devices, example }, index) => ({
            value: String(index),
            label: t('calendarSet', { count: devices, name: deviceLabel(example) }),
          }))}
        />
      )}
      {rest > 0 && <p className="caption">{t('calendarRest', { count: rest })}</p>}
      <ClassCalendar key={`${chosen} ${range.from} ${range.to}`} {...props} shown={shown} />
    </>
  );
}

const SCREEN_TEXT = { main: 'mainScreen', secondary: 'secondaryScreen' } as const satisfies Record<Screen, string>;

function ClassCalendar({ calendar, shown, range, isComplete }: ClassCalendarProps) {
  const { t } = useTranslation('releases');
  const desk = useDesk();
  const address = useAddressFilter(['screen']);
  const screen = oneOf(SCREENS, address.values.screen) ?? 'main';
  const slots = shown.screens[screen] ?? shown.screens.main;
  const { timeZone } = shown;
  const releases = new Map(calendar.releases.map((release) => [release.id, release]));
  const days = daysOf(slots, timeZone, range, Date.parse(calendar.at));
  const Days = desk ? DayGrid : Agenda;
  return (
    <>
      {shown.screens.secondary && (
        <Choice
          label={t('whichScreen')}
          value={screen}
          onChange={(next) => address.set({ screen: next })}
          options={SCREENS.map((value) => ({ value, label: t(SCREEN_TEXT[value]) }))}
        />
      )}
      <p className="caption">{t('calendarZone', { zone: timeZone.replaceAll('_', ' ') })}</p>
      {isComplete ? <Days days={days} timeZone={timeZone} releases={releases} /> : <Skeleton height={520} />}
    </>
  );
}
