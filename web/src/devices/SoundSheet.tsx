import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { Switch } from '../ui/form/Choice.tsx';
import { changeDevice } from './actions.ts';
import style from './SoundSheet.module.css';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import { screenNames } from './truths.ts';

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
            onChange={(on) => changeDevice(device, { sound: { ...device.sound, [name]: on } }, t('soundChanged'))}
          />
        </div>
      ))}
      <p className="caption">{t('soundHint')}</p>
    </Dialog>
  );
}
