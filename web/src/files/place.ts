import { MATERIAL_KINDS, type MaterialKind, type Screen, materialKind } from '@ams/contract';

/** The top tabs of the materials, by their number in the address (`tactive`). */
export const TABS = ['image', 'video', 'split'] as const;
export type Tab = 0 | 1 | 2;

/**
 * What the tabs of the materials show. `vertical` and `horizontal` are the sub-tabs among split
 * pictures (`vactive`, `hactive`), kept for both screens so that changing the screen and back
 * returns to the same one.
 */
export interface Place {
  screen: Screen;
  tab: Tab;
  vertical: number;
  horizontal: number;
}

/** The parameters of /matlist and /upload as the router gives them. */
export type PlaceParams = Partial<
  Record<'id' | 'username' | 'tactive' | 'vactive' | 'hactive' | 'teamid' | 'type', string | undefined>
>;

const kinds: readonly MaterialKind[] = MATERIAL_KINDS;

const isSplit = (kind: MaterialKind): boolean =>
  kind.media === 'image' && kind.places.every((place) => place.split !== 'full');

/** The kinds behind the sub-tabs of split pictures, in their order. */
export const splitKinds = (screen: Screen): MaterialKind[] =>
  kinds.filter((kind) => kind.screen === screen && isSplit(kind));

export const subTabOf = (place: Place): number => (place.screen === 1 ? place.vertical : place.horizontal);

export const withSubTab = (place: Place, index: number): Place =>
  place.screen === 1 ? { ...place, vertical: index } : { ...place, horizontal: index };

/** The kind of file that a place shows. */
export function kindOf(place: Place): MaterialKind {
  const found =
    place.tab === 2
      ? splitKinds(place.screen)[subTabOf(place)]
      : kinds.find((kind) => kind.screen === place.screen && !isSplit(kind) && kind.media === TABS[place.tab]);
  return found ?? MATERIAL_KINDS[0];
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
  const screen: Screen = params.teamid === '2' ? 2 : 1;
  const place: Place = {
    screen,
    tab: tabOf(params.tactive),
    vertical: indexOf(params.vactive, splitKinds(1).length),
    horizontal: indexOf(params.hactive, splitKinds(2).length),
  };
  const kind = params.teamid === undefined ? undefined : materialKind(screen, Number(params.type));
  if (!kind) return place;
  if (!isSplit(kind)) return { ...place, tab: kind.media === 'video' ? 1 : 0 };
  const subTab = splitKinds(screen).findIndex(({ type }) => type === kind.type);
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
    place.screen,
    kindOf(place).type,
  ].join('/');

export const materialsPath = (owner: Owner, place: Place): string => pathOf('matlist', owner, place);
export const uploadPath = (owner: Owner, place: Place): string => pathOf('upload', owner, place);
/** Where an ad of files of a kind is made, beginning with `files`. */
export const releasePath = (
  owner: Owner,
  { screen, type }: Pick<MaterialKind, 'screen' | 'type'>,
  files: readonly string[] = [],
): string => `/release/${owner.id}/${screen}/${type}${files.length > 0 ? `?files=${files.join()}` : ''}`;
