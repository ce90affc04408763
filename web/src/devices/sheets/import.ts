import { ImportResult } from '@ams/contract';
import type { Sending } from '../../platform/api.ts';
import { isConclusive } from '../../platform/intents.ts';
import { importDevices } from '../../queries/devices.ts';

/** `isUnknown`: nobody knows whether the server added devices. */
export type Imported = { kind: 'done'; result: ImportResult } | { kind: 'failed'; message: string; isUnknown: boolean };

/** Sends a spreadsheet of devices. */
export async function importSheet(file: File, sending: Sending): Promise<Imported> {
  const answer = await importDevices(file, sending);
  if (answer.error !== undefined) return { kind: 'failed', message: answer.message, isUnknown: !isConclusive(answer) };
  return { kind: 'done', result: ImportResult.parse(answer.data) };
}
