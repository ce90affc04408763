import { teamIdOf } from '@ams/contract';
import { useLocation } from 'react-router';
import { anyUploadPath } from '../platform/paths.ts';
import { Indicator, type UploadSummary } from '../ui/transfer/Indicator.tsx';
import { placeOf, uploadPath } from './place.ts';
import { type UploadItem, isRunning, shareOf } from './upload/item.ts';
import { useUploads } from './upload/manager.ts';

/** The message and its upload; undefined if there are none. */
function summarize(items: readonly UploadItem[]): { summary: UploadSummary; first: UploadItem } | undefined {
  const running = items.filter(isRunning);
  const [first] = running;
  if (first) {
    const size = running.reduce((sum, { file }) => sum + file.size, 0);
    const sent = running.reduce((sum, item) => sum + shareOf(item) * item.file.size, 0);
    return { summary: { kind: 'running', count: running.length, share: size === 0 ? 0 : sent / size }, first };
  }
  for (const kind of ['failed', 'paused', 'done'] as const) {
    const those = items.filter(({ state }) => state.kind === kind);
    if (those[0]) return { summary: { kind, count: those.length }, first: those[0] };
  }
  return undefined;
}

const addressOf = ({ target: { owner, orientation, kind } }: UploadItem): string =>
  orientation && kind
    ? uploadPath(owner, placeOf({ teamid: teamIdOf(orientation), type: String(kind) }))
    : anyUploadPath(owner);

/** On every page but the upload page: how the uploads of files get on. */
export function UploadIndicator() {
  const { pathname } = useLocation();
  const about = summarize(useUploads());
  if (!about || pathname.startsWith('/upload/')) return null;
  return <Indicator summary={about.summary} to={addressOf(about.first)} />;
}
