import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import type { Kept } from './actions.ts';
import style from './files.module.css';

/** Files that could not be deleted, each with the reason: in use by which ads. */
export function KeptDialog({ kept, onClose }: { kept: readonly Kept[]; onClose: () => void }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  return (
    <Dialog title={t('keptTitle', { count: kept.length })} onClose={onClose}>
      <ul className={style.kept}>
        {kept.map(({ id, name, reason }) => (
          <li key={id}>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <p>{reason}</p>
          </li>
        ))}
      </ul>
      <Button look="primary" block onClick={onClose}>
        {common('close')}
      </Button>
    </Dialog>
  );
}
