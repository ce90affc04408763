import { type Manifest, type Programme, takeoverVersion } from '@ams/contract';

const contentsOf = ({ regions }: Programme): string[] =>
  Object.values(regions).flatMap((items) => items.map(({ sha256 }) => sha256));

/**
 * The manifest that plays, with takeovers that it lacks: they do not wait for anything else that `from` brings.
 * Undefined when it lacks none.
 */
export function withTakeovers(playing: Manifest, from: Pick<Manifest, 'screens' | 'files'>): Manifest | undefined {
  const { main, secondary } = playing.screens;
  const known = new Set([...main, ...secondary].map(({ releaseId }) => releaseId));
  const isNew = ({ priority, releaseId }: Programme) => priority === 'takeover' && !known.has(releaseId);
  const added = { main: from.screens.main.filter(isNew), secondary: from.screens.secondary.filter(isNew) };
  const all = [...added.main, ...added.secondary];
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
