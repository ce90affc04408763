import type { Media } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { DropZone } from '../../ui/form/DropZone.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { CameraIcon, PictureIcon } from '../../ui/layout/icons.ts';
import { acceptOf } from '../kinds.ts';
import { type UploadLimits, limitsOf } from './check.ts';
import style from './upload.module.css';

interface ChooserProps {
  /** What may be chosen. */
  media: readonly Media[];
  limits: UploadLimits;
  onChoose: (files: readonly File[]) => void;
}

/** Album, camera, and on a desk dropping. */
export function Chooser({ media, limits, onChoose }: ChooserProps) {
  const { t } = useTranslation('files');
  const { bytes, commaSeparated } = useFormat();
  const each = media.map((one) => ({ media: one, ...limitsOf(limits, one) }));
  const formats = each.flatMap((one) => one.formats);
  const size = Math.max(...each.map((one) => one.size));
  return (
    <DropZone className={style.chooser} onDrop={onChoose}>
      <div className={style.ways}>
        <FileButton
          name="album"
          look="primary"
          block
          icon={<PictureIcon />}
          accept={each.map((one) => acceptOf(one.media, one.formats)).join()}
          multiple
          onChoose={onChoose}
        >
          <Album />
        </FileButton>
        <span className={style.camera}>
          <FileButton
            name="camera"
            block
            icon={<CameraIcon />}
            accept={media.map((one) => `${one}/*`).join()}
            camera
            onChoose={onChoose}
          >
            {t('camera')}
          </FileButton>
        </span>
        <span className={style.drop}>{t('dropHint')}</span>
      </div>
      <p className="caption">
        {t('limitsHint', { formats: commaSeparated(formats), size: bytes(size), count: limits.maxFiles })}
      </p>
    </DropZone>
  );
}

/** A phone has an album, a desk has folders. */
function Album() {
  const { t } = useTranslation('files');
  return (
    <>
      <span className={style.album}>{t('album')}</span>
      <span className={style.folder}>{t('chooseTitle')}</span>
    </>
  );
}
