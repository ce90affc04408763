import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../ui/Button.tsx';
import { CrossIcon, TrashIcon } from '../ui/icons.tsx';
import style from './materials.module.css';

interface SelectionBarProps {
  count: number;
  /** How many are listed. */
  total: number;
  onAll: () => void;
  onEnd: () => void;
  onDelete: () => void;
}

/** What to do with the chosen files, in the thumb's reach. */
export function SelectionBar({ count, total, onAll, onEnd, onDelete }: SelectionBarProps) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  return (
    <div className={style.bar} role="toolbar" aria-label={common('select')}>
      <IconButton label={t('endSelection')} icon={<CrossIcon />} onClick={onEnd} />
      <strong role="status">{common('selected', { count })}</strong>
      <Button look="quiet" small disabled={count === total} onClick={onAll}>
        {t('selectAllShown')}
      </Button>
      <Button look="danger" small icon={<TrashIcon />} disabled={count === 0} onClick={onDelete}>
        {common('delete')}
      </Button>
    </div>
  );
}
