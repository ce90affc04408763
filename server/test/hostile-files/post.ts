import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { upload } from '../media.ts';
import type { HostileFile } from './file.ts';

/** A client that uploads files everywhere the server accepts them. */
export interface Attacker {
  url: string;
  /** Of a leading user: they may leave the most. */
  token: string;
  /** Of a device that is paired. */
  secret: string;
}

export type Outcome =
  | { kind: 'refused'; status: number; error: string }
  | { kind: 'failed'; failure: string }
  | { kind: 'ready' }
  /** It had not ended when the patience did. */
  | { kind: 'processing' };

const LOOK_MS = 250;
const TOO_MANY = 429;
const RETRY_MS = 1000;

const Refusal = z.object({ error: z.string() });
const FileState = z.object({
  data: z.object({ state: z.enum(['processing', 'ready', 'failed']), failure: z.string().nullish() }),
});

/** Leaves a file where it belongs, and waits for what becomes of it, at most `patienceMs`. */
export async function post(attacker: Attacker, file: HostileFile, patienceMs: number): Promise<Outcome> {
  const bytes = await file.make();
  for (;;) {
    const outcome = await leave(attacker, file, bytes, patienceMs);
    if (outcome.kind !== 'refused' || outcome.status !== TOO_MANY) return outcome;
    await sleep(RETRY_MS);
  }
}

function leave(attacker: Attacker, file: HostileFile, bytes: Buffer, patienceMs: number): Promise<Outcome> {
  switch (file.target) {
    case 'video':
      return uploadMedia(attacker, file, bytes, 2, patienceMs);
    case 'picture':
      return uploadMedia(attacker, file, bytes, 1, patienceMs);
    case 'app':
      return uploadApp(attacker, bytes);
    case 'screenshot':
      return send(attacker.url, '/api/player/screenshot?screen=main', attacker.secret, bytes, 'image/jpeg');
    case 'sheet':
      return importSheet(attacker, file, bytes);
  }
}

async function uploadMedia(attacker: Attacker, file: HostileFile, bytes: Buffer, kind: 1 | 2, patienceMs: number) {
  const answer = await upload(attacker, attacker, bytes, {
    name: `hostile${file.extension}`,
    orientation: 'vertical',
    kind,
  });
  if (answer.kind === 'refused') return refused(answer.status, answer.body.error);
  const headers = { authorization: `Bearer ${attacker.token}` };
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(LOOK_MS)) {
    const reply = await fetch(`${attacker.url}/api/files/${answer.fileId}`, { headers });
    const { state, failure } = FileState.parse(await reply.json()).data;
    if (state === 'failed') return { kind: 'failed', failure: failure ?? '' } as const;
    if (state === 'ready') return { kind: 'ready' } as const;
  }
  return { kind: 'processing' } as const;
}

async function uploadApp(attacker: Attacker, bytes: Buffer): Promise<Outcome> {
  const answer = await upload(attacker, attacker, bytes, { kind: 'app', filename: 'hostile.apk' });
  return answer.kind === 'refused' ? refused(answer.status, answer.body.error) : { kind: 'ready' };
}

function importSheet({ url, token }: Attacker, { extension }: HostileFile, bytes: Buffer): Promise<Outcome> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], `hostile${extension}`));
  return send(url, '/api/devices/import', token, form);
}

async function send(
  url: string,
  path: string,
  token: string,
  content: Buffer | FormData,
  type?: string,
): Promise<Outcome> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) },
    body: Buffer.isBuffer(content) ? new Uint8Array(content) : content,
  });
  const body: unknown = await reply.json();
  return reply.ok ? { kind: 'ready' } : refused(reply.status, Refusal.parse(body).error);
}

const refused = (status: number, error: string): Outcome => ({ kind: 'refused', status, error });
