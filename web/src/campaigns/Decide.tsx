import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { CheckIcon, CrossIcon } from '../ui/layout/icons.ts';
import { askToReject } from './actions.ts';
import style from './campaigns.module.css';

interface DecideProps {
  request: Parameters<typeof askToReject>[0];
  /** All that is decided on is shown. */
  shown: boolean;
  /** It changed since it was requested: it cannot be approved. */
  changed: boolean;
  reject: Parameters<typeof askToReject>[1];
  approve: () => Promise<void>;
}

/** The two answers to a request: reject with a remark, or approve with one press. */
export function Decide({ request, shown, changed, reject, approve }: DecideProps) {
  const { t } = useTranslation('campaigns');
  return (
    <div className={style.decide}>
      <Button changes icon={<CrossIcon />} disabled={!shown} onClick={() => void askToReject(request, reject)}>
        {t('reject')}
      </Button>
      <Button changes look="primary" icon={<CheckIcon />} disabled={!shown || changed} onClick={approve}>
        {t('approve')}
      </Button>
    </div>
  );
}
