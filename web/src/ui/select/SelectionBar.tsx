import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../Button.tsx';
import { CrossIcon } from '../icons.tsx';
import style from './SelectionBar.module.css';

interface SelectionBarProps {
  count: number;
  /** How many are listed. */
  total: number;
  onAll: () => void;
  onEnd: () => void;
  /** What can be done with the chosen items, as buttons. */
  children: ReactNode;
}

/** What to do with the chosen items of a list, in the thumb's reach. */
export function SelectionBar({ count, total, onAll, onEnd, children }: SelectionBarProps) {
  const { t } = useTranslation();
  return (
    <div className={style.bar} role="toolbar" aria-label={t('select')}>
      <IconButton label={t('endSelection')} icon={<CrossIcon />} onClick={onEnd} />
      <strong role="status">{t('selected', { count })}</strong>
      <Button look="quiet" small disabled={count === total} onClick={onAll}>
        {t('selectAll')}
      </Button>
      {children}
    </div>
  );
}
