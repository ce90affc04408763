import { FILES_A_REGION_MAX, type MediaFile } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { toast } from '../platform/toast.ts';
import { Button, IconButton } from '../ui/layout/Button.tsx';
import { SendIcon, TrashIcon } from '../ui/layout/icons.ts';
import { SelectionBar } from '../ui/list/select/SelectionBar.tsx';

interface ChosenFilesProps {
  /** Chosen, in the order in which they were. */
  files: readonly MediaFile[];
  total: number;
  /** Path of a new ad with these files. */
  releasePath: (ids: readonly string[]) => string;
  onAll: () => void;
  onEnd: () => void;
  onDelete: () => void;
}

/** Actions on selected files: create an ad from the ready ones, or delete them. */
export function ChosenFiles({ files, total, releasePath, onAll, onEnd, onDelete }: ChosenFilesProps) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const ready = files.filter((file) => file.state === 'ready').map((file) => file.id);
  const release = () => {
    if (ready.length > FILES_A_REGION_MAX) toast.info(common('alreadyLargest'));
    else void navigate(releasePath(ready));
  };
  return (
    <SelectionBar count={files.length} total={total} onAll={onAll} onEnd={onEnd}>
      <IconButton
        changes
        label={common('delete')}
        icon={<TrashIcon />}
        danger
        disabled={files.length === 0}
        onClick={onDelete}
      />
      <Button changes look="primary" small icon={<SendIcon />} disabled={ready.length === 0} onClick={release}>
        {t('release')}
      </Button>
    </SelectionBar>
  );
}
