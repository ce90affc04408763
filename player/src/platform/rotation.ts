import type { DeviceScreen } from '@ams/contract';

/** Quarter turns clockwise, in degrees: a portrait screen on a landscape signal is 90 or 270. */
export const ROTATIONS = [0, 90, 180, 270] as const;
export type Rotation = (typeof ROTATIONS)[number];

/** `90` and the like; undefined when the text is no quarter turn. */
export const parseRotation = (text: string | null): Rotation | undefined =>
  text === null || text.trim() === '' ? undefined : ROTATIONS.find((rotation) => rotation === Number(text) % 360);

export const nextRotation = (rotation: Rotation): Rotation =>
  ROTATIONS[(ROTATIONS.indexOf(rotation) + 1) % ROTATIONS.length] ?? 0;

/** A screen as people see it, of one as its signal is: on its side, width and height are exchanged. */
export const turned = ({ width, height, ...screen }: DeviceScreen, rotation: Rotation): DeviceScreen =>
  rotation % 180 === 0 ? { ...screen, width, height } : { ...screen, width: height, height: width };

/** Turns everything that the page shows. */
export function turnPage(rotation: Rotation): void {
  document.documentElement.dataset['rotate'] = String(rotation);
}
