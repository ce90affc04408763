import type { Ad } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/layout/Button.tsx';
import { Pair } from '../../ui/layout/Pair.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { SPLIT_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import { Stage } from '../../ui/stage/Stage.tsx';
import { type Draft, draftOfAd, fileCount } from './draft.ts';
import style from './ConflictSheet.module.css';
import { stagedOf } from './PreviewCard.tsx';

interface ConflictSheetProps {
  mine: Draft;
  myName: string;
  theirs: Ad;
  onTheirs: () => void;
  onMine: () => void;
  onClose: () => void;
}

/** Somebody else stored the ad first: both versions, and the choice between them. */
export function ConflictSheet({ mine, myName, theirs, onTheirs, onMine, onClose }: ConflictSheetProps) {
  const { t } = useTranslation('releases');
  const { dateTime } = useFormat();
  return (
    <Dialog kind="sheet" title={t('changedTitle')} onClose={onClose}>
      <p className="caption">{t('changedChoice')}</p>
      <div className={style.versions}>
        <Version
          title={t('theirs')}
          draft={draftOfAd(theirs)}
          name={theirs.name}
          note={t('changedAt', { time: dateTime(theirs.updatedAt) })}
        />
        <Version title={t('mine')} draft={mine} name={myName} />
      </div>
      <Pair>
        <Button onClick={onTheirs}>{t('takeTheirs')}</Button>
        <Button look="primary" onClick={onMine}>
          {t('keepMine')}
        </Button>
      </Pair>
    </Dialog>
  );
}

interface VersionProps {
  title: string;
  draft: Draft;
  name: string;
  note?: string;
}

function Version({ title, draft, name, note }: VersionProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  return (
    <section className={style.version} aria-label={title}>
      <h3>{title}</h3>
      <Stage ad={stagedOf(draft)} size={150} playing />
      <strong dir="auto">{name}</strong>
      <span className="caption">
        {common(SPLIT_TEXT[draft.split])} · {t(draft.playMode)} · {number(fileCount(draft))}
      </span>
      {note && <span className="caption">{note}</span>}
    </section>
  );
}
