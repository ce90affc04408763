import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { UpIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { AppCard } from '../AppCard.tsx';
import { appsQuery } from '../../queries/apps.ts';

const ROW_HEIGHT = 104;

export default function AppListPage() {
  const { t } = useTranslation('apps');
  const { leading } = useSession();
  const upload = (
    <ButtonLink to="/appupload" look="primary" small icon={<UpIcon />}>
      {t('upload')}
    </ButtonLink>
  );
  return (
    <Page title={t('title')} back="/" actions={leading && upload}>
      <InfiniteList
        query={appsQuery()}
        label={t('list')}
        rowHeight={ROW_HEIGHT}
        minColumn={340}
        render={(app) => <AppCard app={app} />}
        empty={{ title: t('empty'), hint: t(leading ? 'emptyHintLeading' : 'emptyHint') }}
      />
    </Page>
  );
}
