import { regionsOfSplit, fileKind, type Orientation } from '@ams/contract';

/** Screens are 16:9; a place takes its share along the long side. */
const LONG_SIDE = 16;
const SHORT_SIDE = 9;

/** By this factor may a file be wider or narrower than its place before a person should know. */
const TOLERANCE = 1.35;

const ASPECT: Record<Orientation, (long: number) => number> = {
  vertical: (long) => SHORT_SIDE / long,
  horizontal: (long) => long / SHORT_SIDE,
};

/** Width by height of every region for files of this kind. */
function placeAspects(orientation: Orientation, kind: number): number[] {
  const places = fileKind(orientation, kind)?.places ?? [];
  return places.flatMap(({ split, region }) => {
    const share = regionsOfSplit(orientation, split)?.find((part) => part.region === region)?.share;
    if (share === undefined) return [];
    const long = LONG_SIDE * share;
    return [ASPECT[orientation](long)];
  });
}

/** Does a picture of this size fit a place of its kind, more or less? Unknown sizes fit. */
export function fitsItsPlace(
  orientation: Orientation,
  kind: number,
  width: number | null,
  height: number | null,
): boolean {
  if (!width || !height) return true;
  const aspect = width / height;
  return placeAspects(orientation, kind).some((place) => Math.max(aspect / place, place / aspect) <= TOLERANCE);
}
