import { AppError } from '@ams/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toStorable } from '../database/unstorable.ts';
import { BODY_LIMIT, invalidField } from './errors.ts';
import { sizeInWords } from './size.ts';

/** A file that came as the body of a request. */
export interface SentFile {
  /** The sender's name for it, 200 characters at most; empty without one. */
  name: string;
  bytes: Buffer;
}

export const isSentFile = (body: unknown): body is SentFile =>
  typeof body === 'object' && body !== null && 'bytes' in body && Buffer.isBuffer(body.bytes);

/** Room for what a form puts around its file. */
const FORM_BYTES = 64 * 1024;
/** The longest name of a file, in characters. */
const NAME_MAX = 200;

/** Has `scope` take every body for a file: as it is, or as the one file of a form. */
export function takeFiles(scope: FastifyInstance, maxBytes = BODY_LIMIT): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBytes + FORM_BYTES },
    async (request: FastifyRequest, body: Buffer): Promise<SentFile> => {
      const type = request.headers['content-type'] ?? '';
      const file = /^multipart\/form-data\b/i.test(type) ? await fileOfForm(body, type) : { name: '', bytes: body };
      if (file.bytes.length > maxBytes) throw new AppError('TOO_LARGE', { limit: sizeInWords(maxBytes) });
      return file;
    },
  );
}

/** The one file in a form (RFC 7578). */
async function fileOfForm(body: Buffer, type: string): Promise<SentFile> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  const files = [...(form?.values() ?? [])].filter((value) => value instanceof File);
  const [file] = files;
  if (!file || files.length > 1) throw invalidField('file', 'file.required');
  // The end of a long name stays: it tells the format.
  return { name: toStorable(file.name.slice(-NAME_MAX)), bytes: Buffer.from(await file.arrayBuffer()) };
}
