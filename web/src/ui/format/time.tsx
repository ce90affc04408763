import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat } from '../../platform/intl.ts';
import { relativeTime, shortAge } from './format.ts';

const TICK = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The time of the last tick; while nobody listens, a reading that is less than a tick old, or a new one. */
function read(): number {
  if (timer === undefined && Date.now() - now >= TICK) now = Date.now();
  return now;
}

function tick(): void {
  now = Date.now();
  timer = setTimeout(tick, TICK);
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // What is drawn keeps its time until the tick: with another one every row would be drawn twice when it appears.
  timer ??= setTimeout(tick, Math.max(now + TICK - Date.now(), 0));
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Milliseconds since 1970, renewed a few times a minute; one timer for the whole app. */
export const useNow = (): number => useSyncExternalStore(subscribe, read);

/** '5 minutes ago', ticking; the exact time as its title. `at` is ISO 8601. */
export const RelativeTime = ({ at }: { at: string }) => <Ticking at={at} wordsOf={relativeTime} />;

/** '5m': for how long it has been so, ticking; the exact time as its title. `since` is ISO 8601. */
export const ShortAge = ({ since }: { since: string }) => <Ticking at={since} wordsOf={shortAge} />;

function Ticking({ at, wordsOf }: { at: string; wordsOf: typeof relativeTime }) {
  const { i18n } = useTranslation();
  const current = useNow();
  const exact = dateFormat(dateLocale(i18n.language), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
  return (
    <time dateTime={at} title={exact}>
      {wordsOf(i18n.language, Date.parse(at), current)}
    </time>
  );
}
