import {
  type AdFinding,
  type ContentChecks,
  filesOfItem,
  findingsOf,
  type Fit,
  isTooSmall,
  type Orientation,
  type Region,
  regionEntries,
  type Split,
} from '@ams/contract';
import { type CheckedFile, findChecked } from '../media/checks.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Deps } from '../platform/process/deps.ts';
import { getStoredAd } from './ads.service.ts';

interface Layout {
  orientation: Orientation;
  split: Split;
  fit: Fit;
}

/** Findings on a file in a region. */
function findingsOn(layout: Layout, region: Region, { check, ...file }: CheckedFile): AdFinding[] {
  const measured = check !== null && typeof check === 'object' ? findingsOf(check) : [];
  const small = isTooSmall(file, { ...layout, region }) ? [{ kind: 'tooSmall' as const, passages: [] }] : [];
  return [...measured, ...small].map((finding) => ({ ...finding, region, file: { id: file.id, name: file.name } }));
}

function stateOf(files: readonly CheckedFile[]): ContentChecks['state'] {
  if (files.some(({ check }) => check === 'pending')) return 'pending';
  return files.some(({ check }) => check === 'impossible') ? 'incomplete' : 'complete';
}

/** What is known of the files that an ad shows now, region by region. Throws `NOT_FOUND`. */
export async function getChecks(deps: Deps, viewer: Viewer, id: string): Promise<ContentChecks> {
  const ad = await getStoredAd(deps, viewer, id);
  const shown = regionEntries(ad.regions).map(
    ([region, items]) => [region, new Set(items.flatMap(filesOfItem))] as const,
  );
  const files = await findChecked(deps, [...new Set(shown.flatMap(([, ids]) => [...ids]))]);
  const findings = shown.flatMap(([region, ids]) =>
    files.filter((file) => ids.has(file.id)).flatMap((file) => findingsOn(ad, region, file)),
  );
  return { state: stateOf(files), findings };
}
