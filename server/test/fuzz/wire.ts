import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { ERRORS, isRaw, type Route } from '@ams/contract';
import { z } from 'zod';
import { CHECKSUM_MISMATCH } from '../../src/uploads/protocol.ts';

/** A request as it goes over the wire; nothing tidies it up. */
export interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Bytes as latin1 and as UTF-8: a mark is found in either. */
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const PATIENCE_MS = 20_000;

/** Sends it. Of an endless answer only the beginning is read. */
export function send(url: string, { method, path, headers, body }: Wire): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = httpRequest(url, { method, path, headers, agent, timeout: PATIENCE_MS }, (reply) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text });
    };
    const endless = reply.headers['content-type']?.startsWith('text/event-stream');
    reply.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (endless) reply.destroy();
    });
    reply.on('close', finish).on('error', finish);
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  // The server closed a kept connection, after an answer to what was no HTTP, just as it was taken again.
  sent.on('error', (error) =>
    sent.reusedSocket ? resolve(send(url, { method, path, headers, body })) : reject(error),
  );
  sent.end(body);
  return promise;
}

const Failure = z.strictObject({
  code: z.number(),
  message: z.string().min(1),
  error: z.string().refine((name) => Object.hasOwn(ERRORS, name)),
  details: z.record(z.string(), z.unknown()).optional(),
});
const FieldDetails = z.object({
  fields: z.array(z.object({ path: z.string(), rule: z.string(), message: z.string().min(1) })).optional(),
});

const SPREADSHEET = 'application/vnd.ms-excel';

/** Whether the route answers JSON, or an .xls file to those that ask for one. */
const offersSheets = ({ query }: Route): boolean =>
  query !== undefined &&
  JSON.stringify(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })).includes('"xls"');

/** The reason why an answer breaks the contract; undefined if it does not. */
export function faultOf(route: Route, { status, headers, text }: Answer): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (status === 304) return text === '' ? undefined : '304 with a body';
  if (status >= 300 && status < 400) return headers.location ? undefined : 'a redirect to nowhere';
  const isPage = isRaw(route.response) && headers['content-type']?.startsWith('text/html');
  if (status >= 400 && isPage) return text.startsWith('<!doctype html>') ? undefined : 'a page that is no document';
  if (status >= 400) return failureFault(status, text);
  if (isRaw(route.response)) return undefined;
  if (headers['content-type'] === SPREADSHEET) return offersSheets(route) ? undefined : 'a spreadsheet';
  const parsed = z
    .strictObject({ code: z.literal(200), message: z.string(), data: route.response })
    .safeParse(json(text));
  return parsed.success ? undefined : `not its schema: ${parsed.error.message}`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The protocol of uploads has statuses of its own, besides those of the catalogue. */
const TUS_STATUSES: ReadonlySet<number> = new Set([410, 412, CHECKSUM_MISMATCH]);
const STATUS_OF = new Map<string, number>(Object.entries(ERRORS));

export function failureFault(status: number, text: string): string | undefined {
  const parsed = Failure.safeParse(json(text));
  if (!parsed.success) return `no envelope: ${parsed.error.message}`;
  const { code, error, details } = parsed.data;
  if (code !== status) return `code ${code} in an answer of ${status}`;
  if (!TUS_STATUSES.has(status) && STATUS_OF.get(error) !== status) return `${error} is no ${status}`;
  return FieldDetails.safeParse(details ?? {}).success ? undefined : 'fields without words';
}
