import type { Media } from '@ams/contract';
import { type ChangeEvent, type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { useFormat } from '../../ui/format.ts';
import { CameraIcon, PictureIcon } from '../../ui/icons.tsx';
import { acceptOf } from '../kinds.ts';
import { type UploadLimits, limitsOf } from './check.ts';
import style from './upload.module.css';

interface ChooserProps {
  media: Media;
  limits: UploadLimits;
  onChoose: (files: readonly File[]) => void;
}

/** Album, camera, and on a desk dropping. */
export function Chooser({ media, limits, onChoose }: ChooserProps) {
  const { t } = useTranslation('files');
  const { bytes } = useFormat();
  const [over, setOver] = useState(false);
  const { formats, size } = limitsOf(limits, media);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onChoose([...event.dataTransfer.files]);
  };
  return (
    <div
      className={style.chooser}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={style.ways}>
        <Picker look="primary" label={<Album />} accept={acceptOf(media, formats)} onChoose={onChoose} />
        <span className={style.camera}>
          <Picker camera label={t('camera')} accept={`${media}/*`} onChoose={onChoose} />
        </span>
        <span className={style.drop}>{t('dropHint')}</span>
      </div>
      <p className="caption">
        {t('limitsHint', { formats: formats.join(', '), size: bytes(size), count: limits.maxFiles })}
      </p>
    </div>
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

interface PickerProps {
  label: ReactNode;
  accept: string;
  look?: 'primary' | 'plain';
  /** Opens the camera at once where there is one. */
  camera?: boolean;
  onChoose: (files: readonly File[]) => void;
}

function Picker({ label, accept, look = 'plain', camera = false, onChoose }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    // Choosing the same file again must be a change again.
    currentTarget.value = '';
    if (files.length > 0) onChoose(files);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={!camera}
        capture={camera ? 'environment' : undefined}
        data-testid={camera ? 'camera' : 'album'}
        onChange={take}
      />
      <Button look={look} block icon={camera ? <CameraIcon /> : <PictureIcon />} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
