import { type Ad, type FileItemShown, type Region } from '@ams/contract';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { adFormPath } from '../platform/adPath.ts';
import { useSession } from '../platform/session.ts';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import { useFormat } from '../ui/format/format.ts';
import {
  CampaignIcon,
  CopyIcon,
  FilmIcon,
  HistoryIcon,
  PencilIcon,
  PictureIcon,
  PlayIcon,
  ScreenIcon,
  SendIcon,
  TableIcon,
  TakeoverIcon,
  TrashIcon,
  WithdrawIcon,
} from '../ui/layout/icons.ts';
import { SplitDrawing, SPLIT_TEXT } from '../ui/stage/SplitDrawing.tsx';
import { MediaIcon } from '../ui/layout/MediaIcon.tsx';
import { MenuButton, type MenuItem } from '../ui/layout/Menu.tsx';
import { Badge } from '../ui/feedback/StateBadge.tsx';
import { PreviewSheet } from '../ui/stage/PreviewSheet.tsx';
import { RelativeTime } from '../ui/format/time.tsx';
import { AdDevices } from './AdDevices.tsx';
import { askToCopy, askToDelete, askToUpdateDevices, askToWithdraw } from './actions.ts';
import style from './ads.module.css';

/** A row of the ad list. */
export function AdCard({ ad }: { ad: Ad }) {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const [preview, setPreview] = useState(false);
  const split = common(SPLIT_TEXT[ad.split]);
  return (
    <article className={style.card} data-testid="ad" data-released={ad.devices > 0}>
      <button
        type="button"
        className={style.picture}
        aria-label={t('previewOf', { name: ad.name })}
        onClick={() => setPreview(true)}
      >
        <SplitDrawing
          orientation={ad.orientation}
          split={ad.split}
          size={ad.orientation === 'vertical' ? 104 : 92}
          content={(region) => <RegionPoster ad={ad} region={region} />}
        />
        <PlayIcon className={style.play} />
      </button>
      <div className={style.text}>
        <h2 className={style.name} dir="auto">
          {ad.name}
        </h2>
        <p className="caption">
          {split} · {t(ad.playMode)}
          {ad.dual && <> · {t('dual')}</>}
        </p>
        <p className={`caption ${style.counts}`}>
          <span className="visually-hidden">
            {t('counts', { videos: number(ad.videos), images: number(ad.images) })}
          </span>
          <span aria-hidden>
            <FilmIcon /> {number(ad.videos)}
          </span>
          <span aria-hidden>
            <PictureIcon /> {number(ad.images)}
          </span>
        </p>
        <p className={style.released}>
          {ad.devices > 0 ? (
            <Badge tone="good" icon={<ScreenIcon />}>
              {t('onDevices', { count: ad.devices })}
            </Badge>
          ) : (
            <Badge>{t(ad.releasedAt ? 'notReleasedNow' : 'notReleased')}</Badge>
          )}
          {ad.changedSinceRelease ? (
            <Badge tone="warning" icon={<PencilIcon />}>
              {t('changedSinceRelease')}
            </Badge>
          ) : (
            ad.releasedAt && (
              <span className="caption">
                <RelativeTime at={ad.releasedAt} />
              </span>
            )
          )}
        </p>
      </div>
      <div className={style.buttons}>
        {ad.changedSinceRelease ? (
          <Button changes small look="primary" icon={<SendIcon />} onClick={() => askToUpdateDevices(ad)}>
            {t('updateDevices', { count: ad.outdatedDevices })}
          </Button>
        ) : (
          <ButtonLink to={adFormPath(ad, 'devices')} small look="primary" icon={<SendIcon />}>
            {t('release')}
          </ButtonLink>
        )}
        <ButtonLink to={adFormPath(ad)} small icon={<PencilIcon />}>
          {common('edit')}
        </ButtonLink>
        <span className={style.more}>
          <AdMenu ad={ad} onPreview={() => setPreview(true)} />
        </span>
      </div>
      {preview && <PreviewSheet ad={ad} title={ad.name} onClose={() => setPreview(false)} />}
    </article>
  );
}

/** The first picture of a region, or its sign in the drawing. */
function RegionPoster({ ad, region }: { ad: Ad; region: Region }): ReactElement {
  const [first] = ad.regions[region] ?? [];
  switch (first?.kind) {
    case undefined:
      return <MediaIcon media="image" />;
    case 'file':
      return <FilePoster item={first} />;
  }
}

function FilePoster({ item: { poster, media } }: { item: FileItemShown }) {
  const [failed, setFailed] = useState<string>();
  if (!poster || failed === poster) return <MediaIcon media={media} />;
  return <img className={style.poster} src={poster} alt="" loading="lazy" onError={() => setFailed(poster)} />;
}

function AdMenu({ ad, onPreview }: { ad: Ad; onPreview: () => void }) {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const [showsDevices, setShowsDevices] = useState(false);
  const { leading } = useSession();
  const history: MenuItem = {
    reads: true,
    text: t('releases'),
    icon: <HistoryIcon />,
    onPick: () => void navigate(`/releases?ad=${ad.id}`),
  };
  const where: MenuItem = {
    reads: true,
    text: t('whereItPlays'),
    icon: <ScreenIcon />,
    onPick: () => setShowsDevices(true),
  };
  const takeOver: MenuItem = {
    text: common('takeOverNow'),
    icon: <TakeoverIcon />,
    onPick: () => void navigate(`/takeover?ad=${ad.id}`),
  };
  const withdraw: MenuItem = {
    text: t('withdraw'),
    icon: <WithdrawIcon />,
    hint: t('withdrawHint'),
    onPick: () => void askToWithdraw(ad),
  };
  const items: MenuItem[] = [
    { reads: true, text: t('preview'), icon: <PlayIcon />, onPick: onPreview },
    { text: t('release'), icon: <SendIcon />, onPick: () => void navigate(adFormPath(ad, 'devices')) },
    {
      text: common('newCampaign'),
      icon: <CampaignIcon />,
      onPick: () => void navigate(`/campaigns/new?ad=${ad.id}`),
    },
    ...(leading ? [takeOver] : []),
    { text: common('edit'), icon: <PencilIcon />, onPick: () => void navigate(adFormPath(ad)) },
    {
      reads: true,
      text: common('playReport'),
      icon: <TableIcon />,
      onPick: () => void navigate(`/reports?ad=${ad.id}`),
    },
    { text: t('copy'), icon: <CopyIcon />, onPick: () => void askToCopy(ad) },
    ...(ad.releasedAt === null ? [] : [history]),
    ...(ad.devices > 0 ? [where] : []),
    ...(ad.devices > 0 ? [withdraw] : []),
    { text: common('delete'), icon: <TrashIcon />, danger: true, onPick: () => void askToDelete(ad) },
  ];
  return (
    <>
      <MenuButton title={common('actionsFor', { name: ad.name })} items={items} />
      {showsDevices && <AdDevices ad={ad} onClose={() => setShowsDevices(false)} />}
    </>
  );
}
