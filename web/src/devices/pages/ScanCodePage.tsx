import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { Page } from '../../ui/layout/Page.tsx';
import { PairForm } from '../scan/PairForm.tsx';
import { pairAddress } from '../scan/scanned.ts';
import { Scanner } from '../scan/Scanner.tsx';

/** With `?mac&code`, as in a device's QR code: the form. Without them: the scanner, which opens the form. */
export default function ScanCodePage() {
  const { t } = useTranslation('devices');
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const mac = params.get('mac');
  const code = params.get('code') ?? '';
  return (
    <Page title={t('scanTitle')} back="/mac" narrow>
      {mac === null ? (
        <Scanner onScanned={(scanned) => void navigate(pairAddress(scanned), { replace: true })} />
      ) : (
        <PairForm key={`${mac} ${code}`} mac={mac} code={code} />
      )}
    </Page>
  );
}
