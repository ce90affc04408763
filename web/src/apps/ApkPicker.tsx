import { APP_FORMATS, APP_MIME } from '@ams/contract';
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { useFormat } from '../ui/format.ts';
import { AndroidIcon } from '../ui/icons.tsx';
import style from './apps.module.css';

const ACCEPTED = [...APP_FORMATS.map((format) => `.${format}`), APP_MIME].join(',');

/** Takes one APK: chosen, or dropped on a desk. */
export function ApkPicker({ maxBytes, onChoose }: { maxBytes: number; onChoose: (file: File) => void }) {
  const { t } = useTranslation('apps');
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    if (file) onChoose(file);
    event.currentTarget.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChoose(file);
  };
  return (
    <div
      className={style.picker}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <AndroidIcon />
      <Button look="primary" onClick={() => input.current?.click()}>
        {t('chooseApk')}
      </Button>
      <p className="caption">{t('limitHint', { size: bytes(maxBytes) })}</p>
      <input ref={input} type="file" accept={ACCEPTED} hidden aria-label={t('chooseApk')} onChange={pick} />
    </div>
  );
}
