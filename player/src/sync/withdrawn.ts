import type { Manifest, Programme } from '@ams/contract';

/** No server gives a manifest this version: whichever comes next is new. */
const EMPTY_VERSION = 'empty';

/** The manifest with nothing on its screens: the device shows its standby page. Its files stay on the disk. */
export const withoutProgrammes = (manifest: Manifest): Manifest => ({
  ...manifest,
  version: EMPTY_VERSION,
  screens: { main: [], secondary: [] },
});

/** A manifest without releases that were taken back; undefined when it has none of them. */
export function withoutReleases(manifest: Manifest, withdrawn: readonly string[]): Manifest | undefined {
  const stays = ({ releaseId }: Programme) => !withdrawn.includes(releaseId);
  const { main, secondary } = manifest.screens;
  if (main.every(stays) && secondary.every(stays)) return undefined;
  return { ...manifest, screens: { main: main.filter(stays), secondary: secondary.filter(stays) } };
}
