import i18next from 'i18next';
import { doubtsAbout } from '../../ads/editor/doubts.ts';
import type { Draft } from '../../ads/editor/draft.ts';
import { filterOf, pickedIn, type Subject, type Target } from '../../releases/form/order.ts';
import { confirm } from '../../ui/feedback/confirm.ts';

/** True when nothing speaks against a release, or the operator releases it anyway. */
export async function askFirst(draft: Draft, target: Target, subject: Subject): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  const filter = filterOf(target, subject);
  const doubts = await doubtsAbout(draft, filter ? { filter } : { devices: pickedIn(target) });
  if (doubts.length === 0) return true;
  return confirm({ title: t('askTitle'), body: doubts.join(' '), action: t('releaseAnyway') });
}
