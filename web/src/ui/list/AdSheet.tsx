import type { Ad } from '@ams/contract';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { PlaylistIcon } from '../layout/icons.ts';
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
