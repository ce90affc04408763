import { FILE_KINDS, type FileKind, type MediaFile } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { moveFile } from '../queries/files.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { succeeded } from '../ui/feedback/outcome.ts';
import { kindText } from './kinds.ts';
import { KindDrawing } from './KindTabs.tsx';
import style from './KindSheet.module.css';

/** The kinds that a file may have: those of its media, on either orientation. */
export function KindSheet({ file, onClose }: { file: MediaFile; onClose: () => void }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const isCurrent = ({ orientation, kind }: FileKind) => orientation === file.orientation && kind === file.kind;
  const move = async ({ orientation, kind }: FileKind) => {
    if (succeeded(await moveFile(file.id, { orientation, kind }), t('kindChanged'))) onClose();
  };
  return (
    <Dialog kind="sheet" title={t('changeKind')} onClose={onClose}>
      <p className="caption">{t('changeKindHint')}</p>
      <div className={style.kinds}>
        {FILE_KINDS.filter(({ media }) => media === file.media).map((kind) => (
          <button
            key={`${kind.orientation} ${kind.kind}`}
            type="button"
            className={style.kind}
            aria-pressed={isCurrent(kind)}
            disabled={isCurrent(kind)}
            onClick={() => void move(kind)}
          >
            <KindDrawing kind={kind} size={48} />
            <span>
              {t(kindText(kind))}
              <span className="caption">{common(kind.orientation)}</span>
            </span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
