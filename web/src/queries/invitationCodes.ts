import { fillUrl, ownTimeZone, session } from '@ams/contract';
import { download } from '../platform/api.ts';

/** Saves the unused invitation codes as a spreadsheet with times of this browser's zone. Resolves with whether it came. */
export function exportInvitations(): Promise<boolean> {
  const timeZone = ownTimeZone() ?? 'UTC';
  return download(fillUrl(session.inviteRegisterCode.url, {}, { timeZone }), 'registration invitation code.xls');
}
