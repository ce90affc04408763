import type { Manifest, Programme } from '@ams/contract';

/** A manifest without releases that were taken back; undefined when it has none of them. */
export function withoutReleases(manifest: Manifest, withdrawn: readonly string[]): Manifest | undefined {
  const stays = ({ releaseId }: Programme) => !withdrawn.includes(releaseId);
  const { main, secondary } = manifest.screens;
  if (main.every(stays) && secondary.every(stays)) return undefined;
  return { ...manifest, screens: { main: main.filter(stays), secondary: secondary.filter(stays) } };
}
