import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isAwaited, useWaits } from '../../ui/feedback/pending.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { useWide } from '../../ui/layout/wide.ts';
import { SearchButton } from '../../ui/list/SearchButton.tsx';
import { homeQuery } from '../../queries/home.ts';
import { Account } from '../Account.tsx';
import { Statistics } from '../Statistics.tsx';

export default function HomePage() {
  const { t } = useTranslation();
  const wide = useWide();
  // Whatever arrives above the account would move its buttons away from a finger. A call that fails ends the wait.
  const home = useQuery(homeQuery);
  const waits = useWaits(isAwaited(home));
  return (
    <Page title={t('menuHome')} bar={!wide && <SearchButton />}>
      <Statistics />
      {!waits && <Account />}
    </Page>
  );
}
