import type { Device, Screen } from '@ams/contract';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { updateDevice } from '../queries/devices.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { offerUndo } from '../ui/feedback/outcome.ts';
import { Switch } from '../ui/form/Choice.tsx';
import { giveBack } from './actions.ts';
import style from './SoundSheet.module.css';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import { screenNames } from './truths.ts';

/** Sets whether a screen of a device sounds; undoing it keeps the other one. */
async function setSound(device: Device, name: Screen, on: boolean): Promise<void> {
  const answer = await updateDevice(device.id, { sound: { [name]: on } });
  if (answer.error !== undefined) return;
  const { data: after } = answer;
  const before = { ...device, sound: { ...after.sound, [name]: !on } };
  offerUndo(i18next.t('soundChanged', { ns: 'devices' }), () => giveBack(before, after, ['sound']));
}

/** Which screens of a device sound. */
export function SoundSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  return (
    <Dialog kind="sheet" title={t('sound')} onClose={onClose}>
      {screenNames(device).map((name) => (
        <div key={name} className={style.row}>
          <span>{t(SCREEN_NAME_TEXT[name])}</span>
          <Switch
            label={t(SCREEN_NAME_TEXT[name])}
            checked={device.sound[name]}
            onChange={(on) => setSound(device, name, on)}
          />
        </div>
      ))}
      <p className="caption">{t('soundHint')}</p>
    </Dialog>
  );
}
