import type { Device } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/layout/Button.tsx';
import { HistoryIcon } from '../../ui/layout/icons.ts';
import { WhySheet } from './WhySheet.tsx';

/** The way to "why is this on screen?", for now and for any other moment. */
export function WhyOnScreen({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button block icon={<HistoryIcon />} onClick={() => setOpen(true)}>
        {t('why')}
      </Button>
      {open && <WhySheet device={device} onClose={() => setOpen(false)} />}
    </>
  );
}
