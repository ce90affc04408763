import { FILE_KINDS, type FileKind, type MediaFile } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { moveFile } from '../queries/files.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { succeeded } from '../ui/feedback/outcome.ts';
import { type Press, usePending } from '../ui/feedback/pending.ts';
import { Spinner } from '../ui/layout/Button.tsx';
import { kindText } from './kinds.ts';
import { KindDrawing } from './KindTabs.tsx';
import style from './KindSheet.module.css';

/** The kinds that a file may have: those of its media, on either orientation. */
export function KindSheet({ file, onClose }: { file: MediaFile; onClose: () => void }) {
  const { t } = useTranslation('files');
  const isCurrent = ({ orientation, kind }: FileKind) => orientation === file.orientation && kind === file.kind;
  const move = async ({ orientation, kind }: FileKind) => {
    if (succeeded(await moveFile(file.id, { orientation, kind }), t('kindChanged'))) onClose();
  };
  return (
    <Dialog kind="sheet" title={t('changeKind')} onClose={onClose}>
      <p className="caption">{t('changeKindHint')}</p>
      <div className={style.kinds}>
        {FILE_KINDS.filter(({ media }) => media === file.media).map((kind) => (
          <KindRow
            key={`${kind.orientation} ${kind.kind}`}
            kind={kind}
            isCurrent={isCurrent(kind)}
            onPick={() => move(kind)}
          />
        ))}
      </div>
    </Dialog>
  );
}

function KindRow({ kind, isCurrent, onPick }: { kind: FileKind; isCurrent: boolean; onPick: Press }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const { pending, press } = usePending();
  return (
    <button
      type="button"
      className={style.kind}
      aria-pressed={isCurrent}
      aria-busy={pending || undefined}
      disabled={isCurrent}
      onClick={() => press(onPick)}
    >
      {pending ? <Spinner /> : <KindDrawing kind={kind} size={48} />}
      <span>
        {t(kindText(kind))}
        <span className="caption">{common(kind.orientation)}</span>
      </span>
    </button>
  );
}
