import { Link } from 'react-router';
import { adFormPath } from '../platform/adPath.ts';
import { pickableAdsQuery } from '../queries/ads.ts';
import { type ReleaseTo, releaseState } from '../queries/releaseTo.ts';
import menu from '../ui/layout/Menu.module.css';
import { AdOption, AdSheet } from '../ui/list/AdSheet.tsx';

interface ReleaseSheetProps {
  to: ReleaseTo;
  /** The ad takes the devices over instead. */
  isTakeover?: boolean;
  onClose: () => void;
}

/** Chooses the ad to release; the form of releases or takeovers then begins with these devices. */
export function ReleaseSheet({ to, isTakeover = false, onClose }: ReleaseSheetProps) {
  return (
    <AdSheet
      query={pickableAdsQuery}
      onClose={onClose}
      render={(ad) => (
        <Link
          to={isTakeover ? `/takeover?ad=${ad.id}` : adFormPath(ad, 'devices')}
          state={releaseState(to)}
          className={menu.item}
        >
          <AdOption ad={ad} />
        </Link>
      )}
    />
  );
}
