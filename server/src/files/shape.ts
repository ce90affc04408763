import { layoutOf, materialKind, type Screen } from '@ams/contract';

/** Screens are 16:9; a place takes its share along the long side. */
const LONG_SIDE = 16;
const SHORT_SIDE = 9;

/** By this factor may a file be wider or narrower than its place before a person should know. */
const TOLERANCE = 1.35;

/** Width by height of every place where a file of this kind may stand. */
function placeAspects(screen: Screen, type: number): number[] {
  const places = materialKind(screen, type)?.places ?? [];
  return places.flatMap(({ split, region }) => {
    const share = layoutOf(screen, split)?.find((part) => part.region === region)?.share;
    if (share === undefined) return [];
    const long = LONG_SIDE * share;
    return [screen === 1 ? SHORT_SIDE / long : long / SHORT_SIDE];
  });
}

/** Does a picture of this size fit a place of its kind, more or less? Unknown sizes fit. */
export function fitsItsPlace(screen: Screen, type: number, width: number | null, height: number | null): boolean {
  if (!width || !height) return true;
  const aspect = width / height;
  return placeAspects(screen, type).some((place) => Math.max(aspect / place, place / aspect) <= TOLERANCE);
}
