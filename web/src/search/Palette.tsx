import { SEARCH_KINDS, SEARCH_TEXT_MAX, type SearchKind } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import {
  Autocomplete,
  Collection,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { searchQuery } from '../queries/search.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/States.tsx';
import { useFormat } from '../ui/format/format.ts';
import { KitLocale } from '../ui/form/KitLocale.tsx';
import { SearchIcon } from '../ui/layout/icons.ts';
import { searchFor, showPalette, usePalette } from '../ui/layout/palette.ts';
import { useRested } from '../ui/list/rested.ts';
import { type Entry, entryOf } from './hits.ts';
import { pagesFound, usePages } from './pages.ts';
import field from '../ui/form/Field.module.css';
import search from '../ui/list/SearchBar.module.css';
import menu from '../ui/layout/Menu.module.css';
import style from './Palette.module.css';

interface Section {
  title: string;
  entries: Entry[];
}

/** Finds devices, users, ads, files, releases, campaigns and pages: typing searches, the arrow keys choose, Enter opens. */
export default function Palette() {
  const { t } = useTranslation();
  const text = usePalette((state) => state.text);
  const navigate = useNavigate();
  const { sections, failure, searching } = useFound(text);
  const close = () => showPalette(false);
  const open = (id: string) => {
    const entry = sections.flatMap(({ entries }) => entries).find((each) => each.id === id);
    if (!entry) return;
    close();
    void navigate(entry.to);
  };
  return (
    <Dialog title={t('search')} kind="sheet" onClose={close}>
      <KitLocale>
        <Autocomplete inputValue={text} onInputChange={searchFor}>
          <SearchField aria-label={t('searchAll')} className={search.field ?? ''}>
            <SearchIcon className={search.icon} />
            <div className={field.frame}>
              <Input
                data-autofocus
                className={field.input ?? ''}
                placeholder={t('searchAll')}
                maxLength={SEARCH_TEXT_MAX}
                autoCapitalize="none"
              />
            </div>
          </SearchField>
          <ListBox
            aria-label={t('searchResults')}
            className={style.list ?? ''}
            selectionMode="none"
            onAction={(id) => open(String(id))}
            renderEmptyState={() => !searching && !failure && <EmptyState title={t('noMatch')} />}
          >
            {sections.map((section) => (
              <ListBoxSection key={section.title}>
                <Header className={`caption ${style.head}`}>{section.title}</Header>
                <Collection items={section.entries}>{(entry) => <Row entry={entry} />}</Collection>
              </ListBoxSection>
            ))}
          </ListBox>
        </Autocomplete>
      </KitLocale>
      {failure && <ErrorState error={failure.error} onRetry={failure.again} />}
    </Dialog>
  );
}

const Row = ({ entry }: { entry: Entry }) => (
  <ListBoxItem id={entry.id} textValue={entry.title} className={`${menu.item} ${style.row}`}>
    <entry.icon />
    <span>
      <bdi>{entry.title}</bdi>
      {entry.note && <small dir="auto">{entry.note}</small>}
    </span>
  </ListBoxItem>
);

/** What a text finds, in sections: pages at once, the rest when typing rests. */
function useFound(text: string) {
  const { t } = useTranslation();
  const { t: users } = useTranslation('users');
  const { t: releases } = useTranslation('releases');
  const { dateTime } = useFormat();
  const pages = pagesFound(usePages(), text.trim());
  const found = useQuery(searchQuery(useRested(text)));
  const titles: Record<SearchKind, string> = {
    device: t('barDevices'),
    user: t('barUsers'),
    ad: t('barAds'),
    file: t('barFiles'),
    release: releases('releases'),
    campaign: t('menuCampaigns'),
  };
  const words = { role: users, released: dateTime, withdrawn: releases('withdrawn') };
  const hits = text.trim() === '' ? [] : (found.data ?? []);
  const byKind = SEARCH_KINDS.map((kind): Section => ({
    title: titles[kind],
    entries: hits.filter((hit) => hit.kind === kind).map((hit) => entryOf(hit, words)),
  }));
  const sections = [...byKind, { title: t('pages'), entries: pages }].filter(({ entries }) => entries.length > 0);
  return {
    sections,
    searching: found.isFetching,
    failure: found.error ? { error: found.error, again: () => found.refetch() } : undefined,
  };
}
