import { ImportResult } from '@ams/contract';
import { importDevices } from '../../queries/devices.ts';

export type Imported = { kind: 'done'; result: ImportResult } | { kind: 'failed'; message: string };

/** Sends a spreadsheet of devices; `told` receives the share that was sent (0–1). */
export async function importSheet(file: File, told: (share: number) => void, signal: AbortSignal): Promise<Imported> {
  const answer = await importDevices(file, told, signal);
  if (answer.error !== undefined) return { kind: 'failed', message: answer.message };
  return { kind: 'done', result: ImportResult.parse(answer.data) };
}
