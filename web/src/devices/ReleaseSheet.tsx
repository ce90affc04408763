import type { Ad } from '@ams/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { adFormPath } from '../platform/adPath.ts';
import { pickableAdsQuery } from '../queries/ads.ts';
import { type ReleaseTo, releaseState } from '../queries/releaseTo.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { PlaylistIcon } from '../ui/layout/icons.ts';
import menu from '../ui/layout/Menu.module.css';
import { InfiniteList } from '../ui/list/InfiniteList.tsx';
import { SearchBar } from '../ui/list/SearchBar.tsx';

interface ReleaseSheetProps {
  to: ReleaseTo;
  /** The ad takes the devices over instead. */
  isTakeover?: boolean;
  onClose: () => void;
}

/** Chooses the ad to release; the form of releases or takeovers then begins with these devices. */
export function ReleaseSheet({ to, isTakeover = false, onClose }: ReleaseSheetProps) {
  const { t } = useTranslation('devices');
  const { t: ads } = useTranslation('ads');
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog kind="sheet" title={t('chooseAd')} onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={ads('searchAds')} />
      <div className={menu.box} ref={box}>
        <InfiniteList
          query={pickableAdsQuery(q)}
          label={ads('list')}
          rowHeight={60}
          box={box}
          empty={{ title: ads('empty'), hint: ads('emptyHint') }}
          {...(q && { filter: { active: true, clear: () => setQ('') } })}
          render={(ad) => (
            <AdOption ad={ad} to={to} path={isTakeover ? `/takeover?ad=${ad.id}` : adFormPath(ad, 'devices')} />
          )}
        />
      </div>
    </Dialog>
  );
}

function AdOption({ ad, to, path }: { ad: Ad; to: ReleaseTo; path: string }) {
  const { t } = useTranslation();
  return (
    <Link to={path} state={releaseState(to)} className={menu.item}>
      <PlaylistIcon />
      <span>
        <bdi>{ad.name}</bdi>
        <small>
          {t(ad.orientation)} · {ad.owner.username}
        </small>
      </span>
    </Link>
  );
}
