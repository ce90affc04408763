import {
  FILE_KINDS,
  type FileKind,
  type Media,
  type Orientation,
  fileKind,
  orientationOf,
  teamIdOf,
} from '@ams/contract';

/** The top tabs of the files by their number in the address (`tactive`); split pictures have the tab 2. */
export type Tab = 0 | 1 | 2;
const TAB_OF: Record<Media, Tab> = { image: 0, video: 1 };

/**
 * The choice of the tabs of the files. `vertical` and `horizontal` are the sub-tabs among split
 * pictures (`vactive`, `hactive`), kept for both screens so that changing the screen and back
 * returns to the same one.
 */
export interface Place {
  orientation: Orientation;
  tab: Tab;
  vertical: number;
  horizontal: number;
}

/** The parameters of /matlist and /upload as the router gives them. */
export type PlaceParams = Partial<
  Record<'id' | 'username' | 'tactive' | 'vactive' | 'hactive' | 'teamid' | 'type', string | undefined>
>;

const kinds: readonly FileKind[] = FILE_KINDS;

const isSplit = (kind: FileKind): boolean => kind.places.every((place) => place.split !== 'full');

/** The kinds behind the sub-tabs of split pictures, in their order. */
export const splitKinds = (orientation: Orientation): FileKind[] =>
  kinds.filter((kind) => kind.orientation === orientation && isSplit(kind));

export const subTabOf = (place: Place): number =>
  place.orientation === 'vertical' ? place.vertical : place.horizontal;

export const withSubTab = (place: Place, index: number): Place =>
  place.orientation === 'vertical' ? { ...place, vertical: index } : { ...place, horizontal: index };

/** Whether the address of the upload page leaves the kind to the content of each file. */
export const isAnyKind = ({ type }: PlaceParams): boolean => type === '0';

/** The kind of file that a place shows. */
export function kindOf(place: Place): FileKind {
  const found =
    place.tab === 2
      ? splitKinds(place.orientation)[subTabOf(place)]
      : kinds.find(
          (kind) => kind.orientation === place.orientation && !isSplit(kind) && TAB_OF[kind.media] === place.tab,
        );
  return found ?? FILE_KINDS[0];
}

const indexOf = (text: string | undefined, size: number): number => {
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 && value < size ? value : 0;
};

const tabOf = (text: string | undefined): Tab => (text === '1' ? 1 : text === '2' ? 2 : 0);

/**
 * Reads the address. What is missing or out of range is the first tab; where `teamid` and `type` name
 * a kind, that kind is shown whatever the flags before them say.
 */
export function placeOf(params: PlaceParams): Place {
  const orientation = orientationOf(params.teamid);
  const place: Place = {
    orientation,
    tab: tabOf(params.tactive),
    vertical: indexOf(params.vactive, splitKinds('vertical').length),
    horizontal: indexOf(params.hactive, splitKinds('horizontal').length),
  };
  const kind = params.teamid === undefined ? undefined : fileKind(orientation, Number(params.type));
  if (!kind) return place;
  if (!isSplit(kind)) return { ...place, tab: TAB_OF[kind.media] };
  const subTab = splitKinds(orientation).findIndex((other) => other.kind === kind.kind);
  return withSubTab({ ...place, tab: 2 }, subTab);
}

export interface Owner {
  id: string;
  username: string;
}

const pathOf = (page: 'matlist' | 'upload', owner: Owner, place: Place): string =>
  [
    `/${page}/${owner.id}/${encodeURIComponent(owner.username)}`,
    place.tab,
    place.vertical,
    place.horizontal,
    teamIdOf(place.orientation),
    kindOf(place).kind,
  ].join('/');

export const placePath = (owner: Owner, place: Place): string => pathOf('matlist', owner, place);
export const uploadPath = (owner: Owner, place: Place): string => pathOf('upload', owner, place);
/** Path of a new ad with files of a kind, beginning with `files`. */
export const releasePath = (
  owner: Owner,
  { orientation, kind }: Pick<FileKind, 'orientation' | 'kind'>,
  files: readonly string[] = [],
): string => `/release/${owner.id}/${teamIdOf(orientation)}/${kind}${files.length > 0 ? `?files=${files.join()}` : ''}`;
