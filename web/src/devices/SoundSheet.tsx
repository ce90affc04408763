import type { Device, Screen } from '@ams/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { Switch } from '../ui/form/Choice.tsx';
import { changeDevice } from './actions.ts';
import style from './SoundSheet.module.css';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import { screenNames } from './truths.ts';

/**
 * Sets whether a screen of a device sounds. Both screens are sent at once: a change waits for the one before and keeps what
 * that set.
 */
function useSound(device: Device): (name: Screen, on: boolean) => Promise<void> {
  const { t } = useTranslation('devices');
  const sound = useRef(device.sound);
  const last = useRef<Promise<void>>(undefined);
  useEffect(() => void (sound.current = device.sound), [device.sound]);
  const set = async (name: Screen, on: boolean) => {
    const before = { ...device, sound: sound.current };
    const after = { ...sound.current, [name]: on };
    if (await changeDevice(before, { sound: after }, t('soundChanged'))) sound.current = after;
  };
  return (name, on) => {
    const before = last.current;
    last.current = (async () => {
      await before;
      await set(name, on);
    })();
    return last.current;
  };
}

/** Which screens of a device sound. */
export function SoundSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const set = useSound(device);
  return (
    <Dialog kind="sheet" title={t('sound')} onClose={onClose}>
      {screenNames(device).map((name) => (
        <div key={name} className={style.row}>
          <span>{t(SCREEN_NAME_TEXT[name])}</span>
          <Switch label={t(SCREEN_NAME_TEXT[name])} checked={device.sound[name]} onChange={(on) => set(name, on)} />
        </div>
      ))}
      <p className="caption">{t('soundHint')}</p>
    </Dialog>
  );
}
