import type { Takeover } from '@ams/contract';
import i18next from 'i18next';
import { endTakeover, loadTakeover } from '../queries/takeovers.ts';
import { confirmLatest } from '../ui/feedback/confirmLatest.ts';
import { succeeded } from '../ui/feedback/outcome.ts';

/** Ends a takeover, or discards a prepared one, after asking; one that somebody started meanwhile is left running. */
export function askToEnd({ id, ad, state }: Takeover): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  const isPrepared = state === 'prepared';
  const question = {
    title: t(isPrepared ? 'takeoverDiscardTitle' : 'takeoverEndTitle', { name: ad.name }),
    body: t(isPrepared ? 'takeoverDiscardBody' : 'takeoverEndBody'),
    action: t(isPrepared ? 'takeoverDiscard' : 'takeoverEndNow'),
    danger: true,
    run: async () => succeeded(await endTakeover(id), t('takeoverEnded')),
  };
  return confirmLatest(question, isPrepared ? { load: () => loadTakeover(id), state: 'running' } : undefined);
}
