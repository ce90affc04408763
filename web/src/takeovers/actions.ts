import type { Takeover } from '@ams/contract';
import i18next from 'i18next';
import { contractMessages } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';
import { endTakeover, loadTakeover } from '../queries/takeovers.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { succeeded } from '../ui/feedback/outcome.ts';

/** Ends a takeover, or discards a prepared one, after asking; one that somebody started meanwhile is left running. */
export async function askToEnd({ id, ad, state }: Takeover): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  const isPrepared = state === 'prepared';
  let isStarted = false;
  const isDone = await confirm({
    title: t(isPrepared ? 'takeoverDiscardTitle' : 'takeoverEndTitle', { name: ad.name }),
    body: t(isPrepared ? 'takeoverDiscardBody' : 'takeoverEndBody'),
    action: t(isPrepared ? 'takeoverDiscard' : 'takeoverEndNow'),
    danger: true,
    run: async () => {
      const now = isPrepared ? await loadTakeover(id) : undefined;
      if (now?.error !== undefined) return false;
      isStarted = now?.data.state === 'running';
      return isStarted || succeeded(await endTakeover(id), t('takeoverEnded'));
    },
  });
  if (isStarted) toast.fail(contractMessages().errors.CHANGED_MEANWHILE);
  return isDone && !isStarted;
}
