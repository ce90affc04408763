import { hash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { hashFile } from '../blobs/hash-file.ts';
import type { AppSandbox } from '../platform/sandbox/open.ts';
import type { FfmpegUse } from './still.ts';
import { writePlainVideo } from './clean-video.ts';

/** The copy that is served instead of the original. */
interface Copy {
  file: string;
  sha256: string;
  bytes: number;
}

export type Cleaned =
  /** It says nothing of who took it: it is served as it is. */
  { kind: 'plain' } | { kind: 'copy'; copy: Copy } | { kind: 'failed'; failure: 'needsConversion' | 'conversion' };

interface Original {
  source: string;
  /** Path of the copy. */
  folder: string;
  mime: string;
  sandbox: AppSandbox;
  signal: AbortSignal;
  use: Pick<FfmpegUse, 'ffmpeg' | 'signal'> | undefined;
}

async function cleanImage({ source, folder, mime, sandbox, signal }: Original): Promise<Cleaned> {
  const clean = await sandbox.run('cleanPicture', { file: source, mime }, { signal });
  if (!clean) return { kind: 'plain' };
  const file = path.join(folder, 'clean');
  await fs.writeFile(file, clean);
  return { kind: 'copy', copy: { file, sha256: hash('sha256', clean), bytes: clean.length } };
}

async function cleanFilm({ source, folder, mime, sandbox, signal, use }: Original): Promise<Cleaned> {
  const isPlain = (file: string): Promise<boolean> => sandbox.run('isPlainVideo', { file, mime }, { signal });
  if (await isPlain(source)) return { kind: 'plain' };
  if (!use) return { kind: 'failed', failure: 'needsConversion' };
  const file = path.join(folder, 'clean');
  const isWritten = await writePlainVideo(source, file, mime, use);
  if (!isWritten || !(await isPlain(file))) return { kind: 'failed', failure: 'conversion' };
  return { kind: 'copy', copy: { file, ...(await hashFile(file)) } };
}

/** Makes a copy without metadata of a picture, or of a video that browsers play, if it carries any. */
export const cleanMedia = (original: Original): Promise<Cleaned> =>
  original.mime.startsWith('image/') ? cleanImage(original) : cleanFilm(original);
