import type { Region } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/layout/Button.tsx';
import { ExpandIcon, PauseIcon, PlayIcon, PlusIcon } from '../../ui/layout/icons.ts';
import { KindSign, REGION_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import { PreviewSheet } from '../../ui/stage/PreviewSheet.tsx';
import type { Staged } from '../../ui/stage/rotation.ts';
import { Stage } from '../../ui/stage/Stage.tsx';
import { prefersLessMotion, useDesk } from '../../ui/layout/wide.ts';
import { type Draft, fileCount, regionsOf } from './draft.ts';
import style from './PreviewCard.module.css';

interface PreviewCardProps {
  draft: Draft;
  name: string;
  active: Region | undefined;
  onPick: (region: Region) => void;
}

export const stagedOf = (draft: Draft): Staged => ({ ...draft, regions: regionsOf(draft) });

const SIZE = { vertical: { wide: 460, narrow: 320 }, horizontal: { wide: 340, narrow: 320 } } as const;

/** The drawing of the screen, which plays what was chosen; a tap on a region opens its files. */
export function PreviewCard({ draft, name, active, onPick }: PreviewCardProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const desk = useDesk();
  const [playing, setPlaying] = useState(() => !prefersLessMotion());
  const [large, setLarge] = useState(false);
  const filled = fileCount(draft) > 0;
  const size = SIZE[draft.orientation][desk ? 'wide' : 'narrow'];
  return (
    <section className={style.stageCard} aria-label={t('preview')}>
      <Stage
        ad={stagedOf(draft)}
        size={size}
        playing={playing && !large && active === undefined}
        active={active}
        onPick={onPick}
        empty={(region) => <EmptyRegion draft={draft} region={region} />}
      />
      {filled ? (
        <div className={style.stageButtons}>
          <Button look="quiet" small icon={playing ? <PauseIcon /> : <PlayIcon />} onClick={() => setPlaying(!playing)}>
            {common(playing ? 'pause' : 'play')}
          </Button>
          <Button look="quiet" small icon={<ExpandIcon />} onClick={() => setLarge(true)}>
            {t('preview')}
          </Button>
        </div>
      ) : (
        <p className={`caption ${style.stageHint}`}>{t('tapRegion')}</p>
      )}
      {large && <PreviewSheet ad={stagedOf(draft)} title={name} onClose={() => setLarge(false)} />}
    </section>
  );
}

function EmptyRegion({ draft, region }: { draft: Draft; region: Region }) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  return (
    <span className={style.emptyRegion}>
      <PlusIcon />
      <span>
        <KindSign orientation={draft.orientation} split={draft.split} region={region} />
        {region === 'full' ? t('chooseFiles') : common(REGION_TEXT[region])}
      </span>
    </span>
  );
}
