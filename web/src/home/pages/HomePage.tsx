import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/layout/Page.tsx';
import { Account } from '../Account.tsx';
import { Statistics } from '../Statistics.tsx';

export default function HomePage() {
  const { t } = useTranslation();
  return (
    <Page title={t('menuHome')}>
      <Statistics />
      <Account />
    </Page>
  );
}
