import i18next from 'i18next';
import { type Draft, itemsIn, regionNames } from '../../ads/editor/draft.ts';
import { countTurned } from '../../queries/devices.ts';
import { filterOf, pickedIn, type Subject, type Target } from '../../releases/form/order.ts';
import { confirm } from '../../ui/feedback/confirm.ts';
import { REGION_TEXT } from '../../ui/stage/SplitDrawing.tsx';

/** True when nothing speaks against a release, or the operator releases it anyway. */
export async function askFirst(draft: Draft, target: Target, subject: Subject): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  const empty = regionNames(draft).filter((region) => itemsIn(draft, region).length === 0);
  const filter = filterOf(target, subject);
  const turned = await countTurned(filter ? { filter } : { devices: pickedIn(target) }, subject.orientation);
  const number = new Intl.NumberFormat(i18next.language);
  const list = new Intl.ListFormat(i18next.language);
  const reasons = [
    ...(turned > 0 ? [t('askTurned', { n: number.format(turned) })] : []),
    ...(empty.length > 0
      ? [t('askEmpty', { regions: list.format(empty.map((region) => i18next.t(REGION_TEXT[region]))) })]
      : []),
  ];
  if (reasons.length === 0) return true;
  return confirm({ title: t('askTitle'), body: reasons.join(' '), action: t('releaseAnyway') });
}
