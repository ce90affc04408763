import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/layout/Page.tsx';
import { useWide } from '../../ui/layout/wide.ts';
import { SearchButton } from '../../ui/list/SearchButton.tsx';
import { Account } from '../Account.tsx';
import { useWaitsForHome } from '../arrivals.ts';
import { Statistics } from '../Statistics.tsx';

export default function HomePage() {
  const { t } = useTranslation();
  const wide = useWide();
  const waits = useWaitsForHome();
  return (
    <Page title={t('menuHome')} bar={!wide && <SearchButton />}>
      <Statistics waits={waits} />
      {!waits && <Account />}
    </Page>
  );
}
