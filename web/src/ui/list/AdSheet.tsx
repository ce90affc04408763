import type { Ad } from '@ams/contract';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../feedback/Dialog.tsx';
import { PlaylistIcon } from '../layout/icons.ts';
import menu from '../layout/Menu.module.css';
import { InfiniteList } from './InfiniteList.tsx';
import { SearchBar } from './SearchBar.tsx';

interface AdSheetProps {
  /** The ads to choose from, by a part of their name. */
  query: (q: string) => ComponentProps<typeof InfiniteList<Ad>>['query'];
  /** The link or button of an ad, around `AdOption`. */
  render: (ad: Ad) => ReactNode;
  onClose: () => void;
}

/** A sheet with ads in scope, searchable, for choosing one. */
export function AdSheet({ query, render, onClose }: AdSheetProps) {
  const { t } = useTranslation('ads');
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog kind="sheet" title={t('chooseAd')} onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={t('searchAds')} />
      <div className={menu.box} ref={box}>
        <InfiniteList
          query={query(q)}
          label={t('list')}
          rowHeight={60}
          box={box}
          empty={{ title: t('empty'), hint: t('emptyHint') }}
          {...(q && { filter: { active: true, clear: () => setQ('') } })}
          render={render}
        />
      </div>
    </Dialog>
  );
}

/** An ad in the sheet: its name, orientation and owner. */
export function AdOption({ ad }: { ad: Ad }) {
  const { t } = useTranslation();
  return (
    <>
      <PlaylistIcon />
      <span>
        <bdi>{ad.name}</bdi>
        <small>
          {t(ad.orientation)} · {ad.owner.username}
        </small>
      </span>
    </>
  );
}
