import { APP_FORMATS, APP_MIME } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { DropZone } from '../ui/form/DropZone.tsx';
import { FileButton } from '../ui/form/FileButton.tsx';
import { useFormat } from '../ui/format/format.ts';
import { PackageIcon } from '../ui/layout/icons.ts';
import style from './apps.module.css';

const ACCEPTED = [...APP_FORMATS.map((format) => `.${format}`), APP_MIME].join(',');

/** Takes one APK: chosen, or dropped on a desk. */
export function ApkPicker({ maxBytes, onChoose }: { maxBytes: number; onChoose: (file: File) => void }) {
  const { t } = useTranslation('apps');
  const { bytes } = useFormat();
  const take = ([file]: readonly File[]) => file && onChoose(file);
  return (
    <DropZone className={style.picker} onDrop={take}>
      <PackageIcon />
      <FileButton name="apk" look="primary" accept={ACCEPTED} onChoose={take}>
        {t('chooseApk')}
      </FileButton>
      <p className="caption">{t('limitHint', { size: bytes(maxBytes) })}</p>
    </DropZone>
  );
}
