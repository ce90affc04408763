import { type Ad, CREATIVES_MAX } from '@ams/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pickableAdsQuery } from '../../queries/ads.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Button, IconButton } from '../../ui/layout/Button.tsx';
import { CheckIcon, CrossIcon, PlaylistIcon, PlusIcon } from '../../ui/layout/icons.ts';
import menu from '../../ui/layout/Menu.module.css';
import { Card } from '../../ui/layout/Page.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { CreativeStage } from '../CreativeStage.tsx';
import style from '../campaigns.module.css';
import form from './CampaignForm.module.css';
import { type ChosenAd, orientationOf } from './draft.ts';
import type { CampaignFormHandle } from './useCampaignForm.ts';

const PREVIEW_SIZE = 120;

/** The ads in rotation. */
export function AdsField({ handle: { draft, set, errorAt } }: { handle: CampaignFormHandle }) {
  const { t } = useTranslation('campaigns');
  const [choosing, setChoosing] = useState(false);
  const { ads } = draft;
  const error = errorAt('adIds');
  const toggle = ({ id, name, orientation }: ChosenAd) => {
    const others = ads.filter((ad) => ad.id !== id);
    set({
      ads: others.length < ads.length ? others : [...ads, { id, name, orientation }],
      // An ad gives a campaign without a name its own.
      ...(draft.name === '' && { name }),
    });
  };
  return (
    <Card title={t('creatives')}>
      <ul className={style.creatives}>
        {ads.map((ad) => (
          <li key={ad.id}>
            <CreativeStage ad={ad} size={PREVIEW_SIZE} />
            <bdi className="caption">{ad.name}</bdi>
            <IconButton label={t('removeAd', { name: ad.name })} icon={<CrossIcon />} onClick={() => toggle(ad)} />
          </li>
        ))}
      </ul>
      {error && (
        <p className={form.error} role="alert">
          {error}
        </p>
      )}
      {ads.length < CREATIVES_MAX && (
        <Button icon={<PlusIcon />} onClick={() => setChoosing(true)}>
          {t('addAd')}
        </Button>
      )}
      {choosing && (
        <AdChooser
          ads={ads}
          narrow={{ orientation: orientationOf(draft), ...(draft.customer && { owner: draft.customer.id }) }}
          onToggle={toggle}
          onClose={() => setChoosing(false)}
        />
      )}
    </Card>
  );
}

interface AdChooserProps {
  ads: readonly ChosenAd[];
  narrow: { orientation: Ad['orientation'] | undefined; owner?: string };
  onToggle: (ad: Ad) => void;
  onClose: () => void;
}

/** Ads to tick; after the first only those of its orientation. */
function AdChooser({ ads, narrow, onToggle, onClose }: AdChooserProps) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog kind="sheet" title={t('addAd')} onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={common('search')} />
      <div className={menu.box} ref={box}>
        <InfiniteList
          query={pickableAdsQuery(q, narrow)}
          label={t('creatives')}
          rowHeight={60}
          box={box}
          empty={{ title: t('noAds'), hint: t('noAdsHint') }}
          {...(q && { filter: { active: true, clear: () => setQ('') } })}
          render={(ad) => (
            <button
              type="button"
              className={menu.item}
              aria-pressed={ads.some(({ id }) => id === ad.id)}
              onClick={() => onToggle(ad)}
            >
              {ads.some(({ id }) => id === ad.id) ? <CheckIcon /> : <PlaylistIcon />}
              <span>
                <bdi>{ad.name}</bdi>
                <small>
                  {common(ad.orientation)} · {ad.owner.username}
                </small>
              </span>
            </button>
          )}
        />
      </div>
      <Button look="primary" onClick={onClose}>
        {common('done')}
      </Button>
    </Dialog>
  );
}
