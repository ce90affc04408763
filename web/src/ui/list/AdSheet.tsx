import type { Ad } from '@ams/contract';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { type Press, usePending } from '../feedback/pending.ts';
import { Spinner } from '../layout/Button.tsx';
import { PlaylistIcon } from '../layout/icons.ts';
import menu from '../layout/Menu.module.css';
import { PickSheet } from './PickSheet.tsx';

type AdSheetProps = Pick<ComponentProps<typeof PickSheet<Ad>>, 'query' | 'render' | 'onClose'>;

/** A sheet with ads in scope, for choosing one; `render` is around `AdOption`. */
export function AdSheet(props: AdSheetProps) {
  const { t } = useTranslation('ads');
  return (
    <PickSheet<Ad>
      title={t('chooseAd')}
      placeholder={t('searchAds')}
      label={t('list')}
      empty={{ title: t('empty'), hint: t('emptyHint') }}
      {...props}
    />
  );
}

/** An ad in the sheet that calls the server when it is chosen. */
export function AdButton({ ad, onPick }: { ad: Ad; onPick: Press }) {
  const { pending, press } = usePending();
  return (
    <button type="button" className={menu.item} aria-busy={pending || undefined} onClick={() => press(onPick)}>
      <AdOption ad={ad} pending={pending} />
    </button>
  );
}

/** An ad in the sheet: its name, orientation and owner. */
export function AdOption({ ad, pending = false }: { ad: Ad; pending?: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {pending ? <Spinner /> : <PlaylistIcon />}
      <span>
        <bdi>{ad.name}</bdi>
        <small>
          {t(ad.orientation)} · {ad.owner.username}
        </small>
      </span>
    </>
  );
}
