import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import style from '../list/Thumbnail.module.css';

interface QrImageProps {
  text: string;
  /** Its edge, in pixels or as a CSS length. */
  size?: number | string;
  label?: string;
}

/** `text` as a QR code, always dark on white so that every reader takes it. The encoder loads when needed. */
export function QrImage({ text, size = 200, label }: QrImageProps) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['qr', text],
    staleTime: 'static',
    queryFn: async () => {
      const { default: qrcode } = await import('qrcode');
      return qrcode.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
    },
  });
  return (
    <div className={style.qr} style={{ width: size, height: size }}>
      {data && <img alt={label ?? t('qrCode')} src={`data:image/svg+xml,${encodeURIComponent(data)}`} />}
    </div>
  );
}
