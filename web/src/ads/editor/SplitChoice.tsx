import type { Orientation, Split } from '@ams/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../ui/form/Choice.tsx';
import { SplitDrawing, SPLIT_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import style from './SplitChoice.module.css';
import { type Draft, splitsOf, withSplit } from './draft.ts';

interface SplitChoiceProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** Screen type and split, each split as a drawing to tap. */
export function SplitChoice({ draft, onChange }: SplitChoiceProps) {
  const { t } = useTranslation('releases');
  return (
    <>
      <Choice<Orientation>
        label={t('orientation')}
        value={draft.orientation}
        onChange={(orientation) => onChange(withSplit(draft, orientation, draft.split))}
        options={[
          { value: 'vertical', label: t('vertical') },
          { value: 'horizontal', label: t('horizontal') },
        ]}
      />
      <SplitTiles
        orientation={draft.orientation}
        value={draft.split}
        onChange={(split) => onChange(withSplit(draft, draft.orientation, split))}
      />
    </>
  );
}

interface SplitTilesProps {
  orientation: Orientation;
  value: Split;
  onChange: (split: Split) => void;
}

function SplitTiles({ orientation, value, onChange }: SplitTilesProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const name = useId();
  return (
    <fieldset className={style.tiles}>
      <legend className="visually-hidden">{t('split')}</legend>
      {splitsOf(orientation).map((split) => (
        <label key={split} className={style.tile} data-split={split}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={split === value}
            onChange={() => onChange(split)}
          />
          <span aria-hidden>
            <SplitDrawing orientation={orientation} split={split} size={52} />
          </span>
          {common(SPLIT_TEXT[split])}
        </label>
      ))}
    </fieldset>
  );
}
