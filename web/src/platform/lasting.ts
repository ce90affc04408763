import type { Intent, Intents } from './intents.ts';
import { session } from './session.ts';
import { storage } from './storage.ts';

/** They make what may be made twice, and their bodies have no secrets. */
const LASTING = /^POST \/api\/(?:ads|campaigns)/;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `letOutlive` has kept them
const kept = (): [string, Intent][] => (storage.mirrored('intents') ?? []) as [string, Intent][];

/**
 * Lets calls that are not answered outlive the page: a phone that is short of memory ends a hidden page, and its tab loads
 * it again. Another try then has the same key and cannot take effect twice. A log-out removes them from the tab.
 */
export function letOutlive(intents: Intents): void {
  /** The person that began an intent, as the last answer before it named the person of this tab. */
  const persons = new WeakMap<Intent, string | undefined>();
  const personId = () => session.snapshot().person?.id;
  const isKept = ([name, intent]: [string, Intent]) => {
    if (!persons.has(intent)) persons.set(intent, personId());
    return !intent.isAnswered && LASTING.test(name) && persons.get(intent) === personId();
  };
  for (const [name, intent] of kept()) {
    if (!intents.open.has(name)) intents.open.set(name, intent);
  }
  intents.onChange = () => {
    const all = [...intents.open].filter(isKept);
    try {
      const now = Date.now();
      storage.mirror(
        'intents',
        all.map(([name, intent]) => [name, { ...intent, answer: undefined, lostAt: intent.lostAt ?? now }]),
      );
    } catch {
      // There is no room for them: they last as long as the page.
    }
  };
}
