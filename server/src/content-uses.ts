import { appContents } from './apps/apps.queries.ts';
import type { ContentUse } from './blobs/content-use.ts';
import { fileContents } from './files/files.queries.ts';
import { releasedContents } from './releases/released-files.service.ts';

/** Everything that needs stored contents: what none of these needs is removed. */
export const CONTENT_USES: readonly ContentUse[] = [fileContents, appContents, releasedContents];
