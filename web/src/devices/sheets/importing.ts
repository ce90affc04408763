import { type ImportResult, SHEET_MAX_BYTES } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { create } from 'zustand';
import { contractMessages } from '../../platform/i18n.ts';
import { newKey } from '../../platform/intents.ts';
import { numberFormat } from '../../platform/intl.ts';
import { session } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { formatBytes } from '../../ui/format/format.ts';
import { importSheet } from './import.ts';

export type Importing =
  | { at: 'choosing' }
  /** `isUnknown`: the sheet was sent, and no answer came: devices may have been added. */
  | { at: 'failed'; file: File; key: string; message: string; isUnknown: boolean }
  | { at: 'sending'; file: File; share: number }
  | { at: 'done'; file: File; result: ImportResult };

/** The import of a spreadsheet. One that the server has begun to read ends with a report, whether its sheet is open or not. */
export const useImporting = create<Importing>(() => ({ at: 'choosing' }));

const set = (state: Importing): void => useImporting.setState(state, true);

let stop = new AbortController();
let isOpen = false;

/** Ends an import that is under way, and forgets its report. */
export function forgetImport(): void {
  stop.abort();
  set({ at: 'choosing' });
}

// A report is that of the person who sent the sheet.
session.onEnd(forgetImport);

export const sheetOpened = (): void => void (isOpen = true);

/** The server is not to be stopped any more once it has the whole sheet: its report waits until the sheet is opened again. */
export function sheetClosed(): void {
  isOpen = false;
  const state = useImporting.getState();
  if (state.at !== 'sending' || state.share < 1) forgetImport();
}

/** Sends a spreadsheet. With the key of an earlier try its devices are added once, and its report comes. */
export async function startImport(file: File, key = newKey()): Promise<void> {
  if (file.size > SHEET_MAX_BYTES) {
    const limit = formatBytes(i18next.language, SHEET_MAX_BYTES);
    const message = fillMessage(contractMessages().errors.TOO_LARGE, { limit });
    return set({ at: 'failed', file, key, message, isUnknown: false });
  }
  stop = new AbortController();
  const { signal } = stop;
  let isSent = false;
  const told = (share: number): void => {
    isSent = share >= 1;
    if (!signal.aborted) set({ at: 'sending', file, share });
  };
  told(0);
  const imported = await importSheet(file, { key, told, signal });
  if (signal.aborted) return;
  if (imported.kind === 'done') set({ at: 'done', file, result: imported.result });
  else set({ at: 'failed', file, key, message: imported.message, isUnknown: isSent && imported.isUnknown });
  if (!isOpen) tell(useImporting.getState());
}

/** Says how an import ended whose sheet is closed. */
function tell(ended: Importing): void {
  if (ended.at === 'failed') return toast.fail(ended.message);
  if (ended.at !== 'done') return;
  const { added, rejected } = ended.result;
  const { format } = numberFormat(i18next.language);
  const words = `${format(added)} ${i18next.t('devices:addedDevices', { count: added })}`;
  if (rejected.length === 0) return toast.success(words);
  toast.fail(`${words} · ${format(rejected.length)} ${i18next.t('devices:rejectedRows', { count: rejected.length })}`);
}
