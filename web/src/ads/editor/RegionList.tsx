import {
  type AdItemShown,
  type FileItemShown,
  HAS_LENGTH,
  IMAGE_SECONDS,
  type Media,
  plainDigits,
  type Region,
} from '@ams/contract';
import i18next from 'i18next';
import type { ComponentType, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Button } from '../../ui/layout/Button.tsx';
import { confirm } from '../../ui/feedback/confirm.ts';
import { formatDuration } from '../../ui/format/format.ts';
import { ClockIcon, DownIcon, PlusIcon, TrashIcon, UpIcon } from '../../ui/layout/icons.ts';
import { REGION_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import { MediaIcon } from '../../ui/layout/MediaIcon.tsx';
import { MenuButton, type MenuItem } from '../../ui/layout/Menu.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import { StateBadge } from '../../ui/feedback/StateBadge.tsx';
import { Thumbnail } from '../../ui/list/Thumbnail.tsx';
import { moved, titleOf } from './draft.ts';
import style from './RegionList.module.css';
import { SecondsField } from './SecondsField.tsx';
import { keyOfItem } from '../../ui/stage/rotation.ts';
import { SortableRows } from '../../ui/list/SortableRows.tsx';

interface RegionListProps {
  region: Region;
  items: AdItemShown[];
  onChange: (items: AdItemShown[]) => void;
  onChoose: () => void;
}

/** The playlist of one region: order, seconds of pictures, what to take out. */
export function RegionList({ region, items, onChange, onChoose }: RegionListProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const name = common(REGION_TEXT[region]);
  return (
    <Card
      title={region === 'full' ? t('playlist') : t('playlistOf', { region: name })}
      action={
        <div className={style.cardActions}>
          <Button look="quiet" small icon={<PlusIcon />} onClick={onChoose}>
            {t('chooseFiles')}
          </Button>
          {items.filter(hasSeconds).length > 1 && (
            <MenuButton
              title={t('playlistActions', { region: name })}
              items={[
                {
                  text: t('sameSeconds'),
                  icon: <ClockIcon />,
                  onPick: () => void askSeconds((seconds) => onChange(items.map((item) => timed(item, seconds)))),
                },
              ]}
            />
          )}
        </div>
      }
    >
      {items.length === 0 ? (
        <button type="button" className={style.blank} onClick={onChoose}>
          {t('regionEmpty')}
        </button>
      ) : (
        <SortableRows
          items={items}
          label={t('playlistOf', { region: name })}
          keyOf={keyOfItem}
          nameOf={titleOf}
          onMove={(from, to) => onChange(moved(items, from, to))}
          render={(item, index) => (
            <ItemRow
              item={item}
              onChange={(next) => onChange(items.with(index, next))}
              menu={rowMenu(items, index, onChange)}
            />
          )}
        />
      )}
    </Card>
  );
}

/** Whether the ad sets the duration of an item. */
function hasSeconds(item: AdItemShown): boolean {
  switch (item.kind) {
    case 'file':
      return !HAS_LENGTH[item.media];
  }
}

const timed = (item: AdItemShown, seconds: number): AdItemShown => (hasSeconds(item) ? { ...item, seconds } : item);

/** Whole seconds as they are typed. */
const TypedSeconds = z
  .string()
  .transform(plainDigits)
  .refine((text) => /^\d+$/.test(text) && Number(text) >= IMAGE_SECONDS.min && Number(text) <= IMAGE_SECONDS.max, {
    error: 'invalid',
  });

function askSeconds(apply: (seconds: number) => void): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  return confirm({
    title: t('sameSeconds'),
    action: t('apply'),
    input: {
      about: '',
      label: t('secondsLabel', { min: IMAGE_SECONDS.min, max: IMAGE_SECONDS.max }),
      schema: TypedSeconds,
      initial: String(IMAGE_SECONDS.default),
    },
    run: (text) => apply(Number(text)),
  });
}

function rowMenu(items: AdItemShown[], index: number, onChange: (items: AdItemShown[]) => void): MenuItem[] {
  const t = i18next.getFixedT(null, 'releases');
  const to = (place: number) => () => onChange(moved(items, index, place));
  return [
    ...(index > 0 ? [{ text: t('moveUp'), icon: <UpIcon />, onPick: to(index - 1) }] : []),
    ...(index < items.length - 1 ? [{ text: t('moveDown'), icon: <DownIcon />, onPick: to(index + 1) }] : []),
    ...(index > 1 ? [{ text: t('moveFirst'), icon: <UpIcon />, onPick: to(0) }] : []),
    {
      text: t('removeItem'),
      icon: <TrashIcon />,
      danger: true,
      onPick: () => onChange(items.toSpliced(index, 1)),
    },
  ];
}

interface ItemRowProps<Item extends AdItemShown> {
  item: Item;
  onChange: (item: Item) => void;
  menu: MenuItem[];
}

function ItemRow({ item, ...props }: ItemRowProps<AdItemShown>): ReactElement {
  switch (item.kind) {
    case 'file':
      return <FileRow item={item} {...props} />;
  }
}

interface FileTimeProps {
  item: FileItemShown;
  onChange: (item: FileItemShown) => void;
}

const ImageTime = ({ item, onChange }: FileTimeProps) => (
  <SecondsField
    name={item.name}
    value={item.seconds ?? IMAGE_SECONDS.default}
    onChange={(seconds) => onChange({ ...item, seconds })}
  />
);

function VideoTime({ item }: FileTimeProps) {
  const { t } = useTranslation('releases');
  return item.durationMs === null ? t('video') : formatDuration(item.durationMs);
}

const FILE_TIMES: Record<Media, ComponentType<FileTimeProps>> = { image: ImageTime, video: VideoTime };

function FileRow({ item, onChange, menu }: ItemRowProps<FileItemShown>) {
  const { t } = useTranslation('releases');
  const FileTime = FILE_TIMES[item.media];
  return (
    <>
      <span className={style.thumb}>
        <Thumbnail src={item.poster} media={item.media} />
      </span>
      <span className={style.item}>
        <span className={style.itemName} dir="auto">
          {item.name}
        </span>
        <span className={`caption ${style.signed}`}>
          <MediaIcon media={item.media} />
          <FileTime item={item} onChange={onChange} />
        </span>
      </span>
      {item.state !== 'ready' && <StateBadge state={item.state} />}
      <MenuButton title={t('itemActions', { name: item.name })} items={menu} />
    </>
  );
}
