import type { Device } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { retryOn } from '../queries/releases.ts';
import { Button, ButtonAnchor, ButtonLink } from '../ui/layout/Button.tsx';
import { CalendarIcon, ClockIcon, PhoneIcon, ReloadIcon, SendIcon, TrashIcon } from '../ui/layout/icons.ts';
import { askToClear, askToRestart } from './actions.ts';
import { batchOfOne } from './batch/batchOfOne.ts';
import { DeviceExpirySheet } from './DeviceExpirySheet.tsx';
import { DeviceHoursSheet } from './hours/DeviceHoursSheet.tsx';
import { ReleaseSheet } from './ReleaseSheet.tsx';
import style from './Verdict.module.css';
import { VerdictLine } from './VerdictLine.tsx';

/** The verdict on a device, with the action that solves it. */
export function DeviceVerdictCard({ device }: { device: Device }) {
  return (
    <div className={style.verdict}>
      <VerdictLine verdict={device.verdict} timeZone={device.timeZone} />
      <Action device={device} />
    </div>
  );
}

function Action({ device }: { device: Device }) {
  const { t } = useTranslation();
  switch (device.verdict.kind) {
    case 'expired':
      return <Extension device={device} />;
    case 'dark':
      return <OtherHours device={device} />;
    case 'failed':
      return <Repair device={device} />;
    case 'later':
      return (
        <ButtonLink small icon={<CalendarIcon />} to={`/calendar?device=${device.id}`}>
          {t('calendar')}
        </ButtonLink>
      );
    case 'nothing':
    case 'finished':
      return <NewRelease device={device} />;
    case 'offline':
    case 'downloading':
    case 'plays':
      return null;
  }
}

/** Leading users extend a device; others call the merchant. */
function Extension({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { t: home } = useTranslation('home');
  const { leading, superior } = useSession();
  const [open, setOpen] = useState(false);
  if (!leading) {
    return superior?.phone ? (
      <ButtonAnchor small icon={<PhoneIcon />} href={`tel:${superior.phone}`}>
        {home('callMerchant', { phone: superior.phone })}
      </ButtonAnchor>
    ) : null;
  }
  return (
    <>
      <Button changes small onClick={() => setOpen(true)}>
        {t('setExpiry')}
      </Button>
      {open && <DeviceExpirySheet device={device} onClose={() => setOpen(false)} />}
    </>
  );
}

function OtherHours({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button changes small icon={<ClockIcon />} onClick={() => setOpen(true)}>
        {t('workingHours')}
      </Button>
      {open && <DeviceHoursSheet device={device} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Releases an ad to this device. */
function NewRelease({ device: { id, orientation } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button changes small icon={<SendIcon />} onClick={() => setOpen(true)}>
        {t('releaseAd')}
      </Button>
      {open && <ReleaseSheet to={{ devices: [{ id, orientation }] }} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What the advice beside it says. */
function Repair({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const change = batchOfOne(device);
  switch (device.verdict.reason) {
    case 'storage':
    case 'appFailed':
      return (
        <Button changes small icon={<ReloadIcon />} onClick={() => askToRestart(device)}>
          {t('restart')}
        </Button>
      );
    case 'diskFull':
      return (
        <Button
          changes
          small
          icon={<TrashIcon />}
          onClick={() => askToClear(device, () => change({ action: 'clear' }))}
        >
          {t('clearFiles')}
        </Button>
      );
    default:
      return (
        <Button changes small icon={<ReloadIcon />} onClick={() => retryOn(device.id)}>
          {common('retry')}
        </Button>
      );
  }
}
