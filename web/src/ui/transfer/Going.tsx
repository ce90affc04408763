import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Pace, secondsLeft } from '../../platform/transfer/pace.ts';
import { useFormat } from '../format/format.ts';
import style from './transfer.module.css';

interface GoingProps {
  sent: number;
  size: number;
  pace: Pace;
  /** The network or the server is away. */
  interrupted: boolean;
  /** Called once all bytes have arrived. */
  finishing: ReactNode;
}

/** The line below the bar of a running transfer: how far, how fast, how long. */
export function Going({ sent, size, pace, interrupted, finishing }: GoingProps) {
  const { t } = useTranslation();
  const { bytes, percent, timeLeft } = useFormat();
  const share = percent(size === 0 ? 0 : sent / size);
  if (interrupted) {
    return (
      <p className={`${style.told} ${style.away}`} role="status">
        <b>{share}</b>
        <span>{t('interrupted')}</span>
      </p>
    );
  }
  const left = secondsLeft(pace, size - sent);
  const done = sent >= size;
  return (
    <p className={style.told} role={done ? 'status' : undefined}>
      <b>{share}</b>
      <span>{t('sentOf', { sent: bytes(sent), total: bytes(size) })}</span>
      {done && <span>{finishing}</span>}
      {!done && pace.bytesPerSecond !== undefined && <span>{t('speed', { size: bytes(pace.bytesPerSecond) })}</span>}
      {!done && left !== undefined && <span>{t('secondsLeft', { time: timeLeft(left) })}</span>}
    </p>
  );
}
