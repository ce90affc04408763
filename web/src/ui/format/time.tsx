import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { relativeTime, shortAge } from './format.ts';

const TICK = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The timer does not run while the page is hidden.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Milliseconds since 1970, renewed a few times a minute; one timer for the whole app. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** '5 minutes ago', ticking; the exact time as its title. `at` is ISO 8601. */
export const RelativeTime = ({ at }: { at: string }) => <Ticking at={at} wordsOf={relativeTime} />;

/** '5m': for how long it has been so, ticking; the exact time as its title. `since` is ISO 8601. */
export const ShortAge = ({ since }: { since: string }) => <Ticking at={since} wordsOf={shortAge} />;

function Ticking({ at, wordsOf }: { at: string; wordsOf: typeof relativeTime }) {
  const { i18n } = useTranslation();
  const current = useNow();
  const exact = new Intl.DateTimeFormat(dateLocale(i18n.language), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(at),
  );
  return (
    <time dateTime={at} title={exact}>
      {wordsOf(i18n.language, Date.parse(at), current)}
    </time>
  );
}
