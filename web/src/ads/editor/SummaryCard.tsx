import type { AdItemShown, Media } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/layout/Button.tsx';
import { SPLIT_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import { Stage } from '../../ui/stage/Stage.tsx';
import { type Draft, itemsIn, regionNames } from './draft.ts';
import style from './SummaryCard.module.css';
import { stagedOf } from './PreviewCard.tsx';

interface SummaryCardProps {
  draft: Draft;
  name: string;
  onChange: () => void;
}

/** Summary of the release on screens without space for the preview. */
export function SummaryCard({ draft, name, onChange }: SummaryCardProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const items = regionNames(draft).flatMap((region) => itemsIn(draft, region));
  return (
    <section className={style.summary} aria-label={t('preview')}>
      <Stage ad={stagedOf(draft)} size={84} playing={false} />
      <div>
        <h2>{name}</h2>
        <p className="caption">
          {common(SPLIT_TEXT[draft.split])} · {t(draft.playMode)}
        </p>
        <p className="caption">{t('contentCounts', countsOf(items))}</p>
      </div>
      <Button look="quiet" small onClick={onChange}>
        {t('change')}
      </Button>
    </section>
  );
}

const COUNTED = { image: 'images', video: 'videos' } as const satisfies Record<Media, string>;

function countedAs(item: AdItemShown): (typeof COUNTED)[Media] {
  switch (item.kind) {
    case 'file':
      return COUNTED[item.media];
  }
}

function countsOf(items: readonly AdItemShown[]): Record<(typeof COUNTED)[Media], number> {
  const counts = { images: 0, videos: 0 };
  for (const item of items) counts[countedAs(item)] += 1;
  return counts;
}
