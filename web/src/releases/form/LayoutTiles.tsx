import type { Screen, Split } from '@ams/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../ui/Choice.tsx';
import { LayoutDrawing, SPLIT_TEXT } from '../../ui/LayoutDrawing.tsx';
import style from './form.module.css';
import { type Draft, splitsOf, withLayout } from './draft.ts';

interface LayoutTilesProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** Screen type and split, each split as a drawing to tap. */
export function LayoutTiles({ draft, onChange }: LayoutTilesProps) {
  const { t } = useTranslation('releases');
  return (
    <>
      <Choice<Screen>
        label={t('screenType')}
        value={draft.screen}
        onChange={(screen) => onChange(withLayout(draft, screen, draft.split))}
        options={[
          { value: 1, label: t('vertical') },
          { value: 2, label: t('horizontal') },
        ]}
      />
      <SplitTiles
        screen={draft.screen}
        value={draft.split}
        onChange={(split) => onChange(withLayout(draft, draft.screen, split))}
      />
    </>
  );
}

interface SplitTilesProps {
  screen: Screen;
  value: Split;
  onChange: (split: Split) => void;
}

function SplitTiles({ screen, value, onChange }: SplitTilesProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const name = useId();
  return (
    <fieldset className={style.tiles}>
      <legend className="visually-hidden">{t('layout')}</legend>
      {splitsOf(screen).map((split) => (
        <label key={split} className={style.tile} data-split={split}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={split === value}
            onChange={() => onChange(split)}
          />
          <span aria-hidden>
            <LayoutDrawing screen={screen} split={split} size={52} />
          </span>
          {common(SPLIT_TEXT[split])}
        </label>
      ))}
    </fieldset>
  );
}
