import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../layout/Button.tsx';
import { CrossIcon } from '../../layout/icons.ts';
import style from './SelectionBar.module.css';

const focusTable = () => document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });

interface SelectionBarProps {
  count: number;
  /** How many are listed. */
  total: number;
  onAll: () => void;
  /** Says how many 'all' are, when more are chosen than are loaded. */
  allText?: string | undefined;
  onEnd: () => void;
  /** Actions on the selected items, as buttons. */
  children: ReactNode;
}

/** Actions on the selected items of a list, within the thumb's reach. Escape clears the selection. */
export function SelectionBar({ count, total, onAll, allText, onEnd, children }: SelectionBarProps) {
  const { t } = useTranslation();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // An open dialog is what Escape closes first.
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) onEnd();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  // The focus was on a button that is gone with the bar: a person at a table continues there.
  useEffect(() => () => void (document.activeElement === document.body && focusTable()), []);
  return (
    <div className={style.bar} role="toolbar" aria-label={t('select')}>
      <IconButton label={t('endSelection')} icon={<CrossIcon />} onClick={onEnd} />
      <div className={style.words}>
        <strong role="status">{t('selected', { count })}</strong>
        <Button look="quiet" small disabled={count === total} onClick={onAll}>
          {allText ?? t('selectAll')}
        </Button>
      </div>
      {children}
    </div>
  );
}
