import i18next from 'i18next';
import { listFormat, numberFormat } from '../../platform/intl.ts';
import { countTurned } from '../../queries/devices.ts';
import type { ReleaseTo } from '../../queries/releaseTo.ts';
import { REGION_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import { type Draft, itemsIn, regionNames } from './draft.ts';

/** What speaks against an ad on these devices, in sentences: screens of the other orientation, regions without files. */
export async function doubtsAbout(draft: Draft, to: ReleaseTo): Promise<string[]> {
  const t = i18next.getFixedT(null, 'releases');
  const empty = regionNames(draft).filter((region) => itemsIn(draft, region).length === 0);
  const turned = await countTurned(to, draft.orientation);
  const number = numberFormat(i18next.language);
  const list = listFormat(i18next.language);
  return [
    ...(turned > 0 ? [t('askTurned', { n: number.format(turned) })] : []),
    ...(empty.length > 0
      ? [t('askEmpty', { regions: list.format(empty.map((region) => i18next.t(REGION_TEXT[region]))) })]
      : []),
  ];
}
