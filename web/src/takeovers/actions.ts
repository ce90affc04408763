import type { Takeover } from '@ams/contract';
import i18next from 'i18next';
import { endTakeover } from '../queries/takeovers.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { succeeded } from '../ui/feedback/outcome.ts';

/** Ends a takeover, or discards a prepared one, after asking. */
export function askToEnd({ id, ad, state }: Takeover): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  const isPrepared = state === 'prepared';
  return confirm({
    title: t(isPrepared ? 'takeoverDiscardTitle' : 'takeoverEndTitle', { name: ad.name }),
    body: t(isPrepared ? 'takeoverDiscardBody' : 'takeoverEndBody'),
    action: t(isPrepared ? 'takeoverDiscard' : 'takeoverEndNow'),
    danger: true,
    run: async () => succeeded(await endTakeover(id), t('takeoverEnded')),
  });
}
