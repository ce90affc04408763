import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../layout/Button.tsx';
import { CrossIcon } from '../layout/icons.ts';
import style from './SpanRow.module.css';

interface SpanRowProps<S extends { from: string; to: string }> {
  span: S;
  onChange: (span: S) => void;
  onRemove: () => void;
  /** A control between the times and the button. */
  children?: ReactNode;
}

/** The beginning and the end of some hours. */
export function SpanRow<S extends { from: string; to: string }>(props: SpanRowProps<S>) {
  const { t } = useTranslation('releases');
  const { span, onChange, onRemove, children } = props;
  return (
    <div className={children ? `${style.span} ${style.full}` : style.span}>
      <input
        type="time"
        aria-label={t('fromTime')}
        value={span.from}
        onChange={(event) => event.currentTarget.value && onChange({ ...span, from: event.currentTarget.value })}
      />
      <span aria-hidden>–</span>
      <input
        type="time"
        aria-label={t('toTime')}
        value={span.to}
        onChange={(event) => event.currentTarget.value && onChange({ ...span, to: event.currentTarget.value })}
      />
      {children}
      <IconButton label={t('removeHours')} icon={<CrossIcon />} onClick={onRemove} />
    </div>
  );
}
