import type { Ad } from '@ams/contract';
import { dataOf, type Session } from './server.ts';

/** Adds a vertical full-screen ad of these files. */
export async function addAd({ calls }: Session, name: string, ...fileIds: string[]): Promise<Ad> {
  const full = fileIds.map((fileId) => ({ kind: 'file' as const, fileId }));
  return dataOf(await calls.ads.create({ body: { name, orientation: 'vertical', split: 'full', regions: { full } } }));
}
