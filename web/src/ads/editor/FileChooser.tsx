import {
  type AdItemShown,
  FILES_A_REGION_MAX,
  type MediaFile,
  type FileKind,
  type Region,
  type Orientation,
  type Split,
  kindsFor,
  teamIdOf,
  type Media,
  filesOfItem,
} from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../../platform/live.ts';
import { toast } from '../../platform/toast.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { formatDuration, useFormat } from '../../ui/format/format.ts';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { REGION_TEXT } from '../../ui/stage/SplitDrawing.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { Thumbnail } from '../../ui/list/Thumbnail.tsx';
import { choosableFilesQuery, fileCountsQuery, refreshChoosableFiles } from '../../queries/files.ts';
import { itemOfFile } from './draft.ts';
import style from './FileChooser.module.css';

const MEDIA_TEXT = { image: 'pictures', video: 'videos' } as const satisfies Record<Media, string>;

interface FileChooserProps {
  owner: { id: string; username: string };
  orientation: Orientation;
  split: Split;
  region: Region;
  items: readonly AdItemShown[];
  /** The kind the form was opened with. */
  preferredType: number;
  onDone: (items: AdItemShown[]) => void;
  onClose: () => void;
}

/** A sheet with the files allowed in a region: a group of checkboxes up to the limit. */
export function FileChooser(props: FileChooserProps) {
  const { owner, orientation, split, region, onDone, onClose } = props;
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const [chosen, setChosen] = useState<readonly AdItemShown[]>(props.items);
  const kinds = kindsFor(orientation, split, region);
  const [kind, setKind] = useKind(kinds, props);
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useLive('file', refreshChoosableFiles);

  const toggle = (file: MediaFile) => {
    const rest = chosen.filter((item) => !filesOfItem(item).includes(file.id));
    if (rest.length < chosen.length) setChosen(rest);
    else if (chosen.length >= FILES_A_REGION_MAX) toast.info(common('alreadyLargest'));
    else setChosen([...chosen, itemOfFile(file)]);
  };
  const upload = `/upload/${owner.id}/${encodeURIComponent(owner.username)}/0/0/0/${teamIdOf(orientation)}/${kind.kind}`;
  return (
    <Dialog
      kind="sheet"
      title={region === 'full' ? t('chooseFiles') : t('chooseFilesFor', { region: common(REGION_TEXT[region]) })}
      onClose={onClose}
    >
      <div className={style.chooserHead}>
        <SearchBar value={q} onSearch={setQ} placeholder={t('searchFiles')} />
        {kinds.length > 1 && (
          <Chips
            label={t('kindOfFile')}
            value={String(kind.kind)}
            onChange={(type) => setKind(type)}
            options={kinds.map((each) => ({
              value: String(each.kind),
              label: t(MEDIA_TEXT[each.media]),
            }))}
          />
        )}
      </div>
      <div className={style.chooser} ref={box} role="group" aria-label={t('chooseFiles')}>
        <InfiniteList
          key={kind.kind}
          query={choosableFilesQuery({ owner: owner.id, orientation, kind: kind.kind, q })}
          label={t('chooseFiles')}
          rowHeight={orientation === 'vertical' ? 196 : 130}
          minColumn={orientation === 'vertical' ? 104 : 140}
          box={box}
          empty={{
            title: q ? common('noMatch') : t('noFiles'),
            hint: q ? common('noMatchHint') : t('noFilesHint'),
            action: q ? undefined : <ButtonLink to={upload}>{t('upload')}</ButtonLink>,
          }}
          render={(file) => (
            <FileTile
              file={file}
              ratio={tileRatio(orientation, kind)}
              place={chosen.findIndex((item) => filesOfItem(item).includes(file.id))}
              onToggle={() => toggle(file)}
            />
          )}
        />
      </div>
      <footer className={style.chooserFoot}>
        <span className="caption" role="status">
          {t('chosenOf', { count: chosen.length, max: number(FILES_A_REGION_MAX) })}
        </span>
        <Button look="primary" onClick={() => onDone([...chosen])}>
          {common('done')}
        </Button>
      </footer>
    </Dialog>
  );
}

/** The shape of what the tiles hold: whole screens or parts of one. */
function tileRatio(orientation: Orientation, kind: FileKind): string {
  const whole = kind.places.some((place) => place.split === 'full');
  if (orientation === 'vertical') return whole ? '3 / 4' : '4 / 3';
  return whole ? '16 / 9' : '3 / 4';
}

/** The kind shown: the one picked, else the preferred one, else the first that has files. */
function useKind(kinds: readonly FileKind[], { owner, orientation, preferredType }: FileChooserProps) {
  const counts = useQuery({ ...fileCountsQuery(owner.id), enabled: kinds.length > 1 });
  const [picked, setPicked] = useState<string>();
  const has = (kind: FileKind) =>
    counts.data?.items.some(
      (count) => count.orientation === orientation && count.kind === kind.kind && count.count > 0,
    );
  const preferred = kinds.find((kind) => kind.kind === preferredType);
  const first = preferred && (!counts.data || has(preferred)) ? preferred : (kinds.find(has) ?? kinds[0]);
  const kind = kinds.find((each) => String(each.kind) === picked) ?? first;
  if (!kind) throw new Error('Every region takes some kind of file');
  return [kind, setPicked] as const;
}

interface FileTileProps {
  file: MediaFile;
  ratio: string;
  /** Place among the chosen from 0, or −1. */
  place: number;
  onToggle: () => void;
}

function FileTile({ file, ratio, place, onToggle }: FileTileProps) {
  const { number } = useFormat();
  const chosen = place >= 0;
  return (
    <label className={style.fileTile} data-chosen={chosen} data-testid="file-choice">
      <input type="checkbox" className="visually-hidden" checked={chosen} onChange={onToggle} aria-label={file.name} />
      <span className={style.picture}>
        <Thumbnail src={file.poster} media={file.media} ratio={ratio} />
        {file.durationMs !== null && <span className={style.duration}>{formatDuration(file.durationMs)}</span>}
        <span className={style.tick} aria-hidden>
          {chosen && number(place + 1)}
        </span>
      </span>
      <span className={`caption ${style.tileName}`} dir="auto" aria-hidden>
        {file.name}
      </span>
    </label>
  );
}
