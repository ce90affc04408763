import { type Manifest, type Programme, takeoverVersion } from '@ams/contract';
import { withoutProgrammes } from './withdrawn.ts';

const contentsOf = ({ regions }: Programme): string[] =>
  Object.values(regions).flatMap((items) => items.map(({ sha256 }) => sha256));

const programmesOf = ({ main, secondary }: Manifest['screens']): Programme[] => [...main, ...secondary];

/** Whether this device added takeovers to a manifest; the server made none with them yet. */
export const isWithTakeovers = ({ version }: Manifest): boolean => version.startsWith(takeoverVersion(''));

/** A manifest with neither programmes nor files: takeovers can be added before the first content is whole. */
export const withoutContent = (manifest: Manifest): Manifest => withoutProgrammes({ ...manifest, files: [] });

/**
 * SHA-256 of the files that a manifest with added takeovers waits for: theirs. What is missing of the manifest that plays is
 * fetched afterwards. Undefined for a manifest as the server made it: it waits for all its files.
 */
export function neededFirst(goal: Manifest, playing: Manifest | undefined): ReadonlySet<string> | undefined {
  if (!isWithTakeovers(goal)) return undefined;
  const known = new Set(playing && programmesOf(playing.screens).map(({ releaseId }) => releaseId));
  const isAdded = ({ priority, releaseId }: Programme) => priority === 'takeover' && !known.has(releaseId);
  const added = programmesOf(goal.screens).filter(isAdded);
  return new Set(added.flatMap(contentsOf));
}

/**
 * The manifest that plays, with takeovers that it lacks: they do not wait for anything else that `from` brings.
 * Undefined when it lacks none.
 */
export function withTakeovers(playing: Manifest, from: Pick<Manifest, 'screens' | 'files'>): Manifest | undefined {
  const { main, secondary } = playing.screens;
  const known = new Set(programmesOf(playing.screens).map(({ releaseId }) => releaseId));
  const isNew = ({ priority, releaseId }: Programme) => priority === 'takeover' && !known.has(releaseId);
  const added = { main: from.screens.main.filter(isNew), secondary: from.screens.secondary.filter(isNew) };
  const all = programmesOf(added);
  const newest = all.at(-1);
  if (!newest) return undefined;
  const contents = new Set(all.flatMap(contentsOf));
  const fresh = new Map(from.files.map((file) => [file.sha256, file]));
  const files = [...from.files.filter(({ sha256 }) => contents.has(sha256)), ...playing.files];
  return {
    ...playing,
    version: takeoverVersion(newest.releaseId),
    // The addresses of what plays may be too old to fetch what is missing of it.
    files: [...new Map(files.map((file) => [file.sha256, fresh.get(file.sha256) ?? file])).values()],
    screens: { main: [...main, ...added.main], secondary: [...secondary, ...added.secondary] },
  };
}
