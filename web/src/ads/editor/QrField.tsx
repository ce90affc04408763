import { type AdQr, type Corner, isScanTarget, type QrSize, SCAN_TARGET_MAX } from '@ams/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';

interface QrFieldProps {
  qr: AdQr;
  onChange: (qr: AdQr) => void;
}

export const NEW_QR: AdQr = { url: 'https://', corner: 'bottomRight', size: 'medium' };

/** Where the QR code of an ad leads, and where on the screen it is. */
export function QrField({ qr, onChange }: QrFieldProps) {
  const { t } = useTranslation('releases');
  const id = useId();
  const error = isScanTarget(qr.url.trim()) ? undefined : contractMessages().rules['qr.url'];
  return (
    <>
      <FieldFrame id={id} label={t('qrAddress')} error={error}>
        <TextControl
          id={id}
          name="qr"
          value={qr.url}
          maxLength={SCAN_TARGET_MAX}
          error={error}
          onChange={(url) => onChange({ ...qr, url })}
        />
      </FieldFrame>
      <Labelled label={t('qrCorner')}>
        <Choice<Corner>
          label={t('qrCorner')}
          value={qr.corner}
          onChange={(corner) => onChange({ ...qr, corner })}
          options={[
            { value: 'topLeft', label: t('qrTopLeft') },
            { value: 'topRight', label: t('qrTopRight') },
            { value: 'bottomLeft', label: t('qrBottomLeft') },
            { value: 'bottomRight', label: t('qrBottomRight') },
          ]}
        />
      </Labelled>
      <Labelled label={t('qrSize')} hint={t('qrSizeHint')}>
        <Choice<QrSize>
          label={t('qrSize')}
          value={qr.size}
          onChange={(size) => onChange({ ...qr, size })}
          options={[
            { value: 'small', label: t('qrSmall') },
            { value: 'medium', label: t('qrMedium') },
            { value: 'large', label: t('qrLarge') },
          ]}
        />
      </Labelled>
    </>
  );
}
