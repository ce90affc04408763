import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { EnrolBody, type Manifest, PlaysBody, type Programme, type ProgrammeItem, StatusMessage } from '@ams/contract';

/** The faults of the next responses to a download. */
type Fault =
  /** Bytes that a browser has received and not read yet are lost with the connection: `until` is when it is cut. */
  | { kind: 'cutAfter'; bytes: number; until?: Promise<unknown> }
  | { kind: 'corrupt' }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'ignoreRange' }
  | { kind: 'wrongRange' }
  | { kind: 'tooLong' }
  /** A proxy answers 200 with a page of its own. */
  | { kind: 'page' };

/** Faults of a file that is answered with a status, by default for as long as a test runs. */
export const failures = (status: number, times = 1000): Fault[] =>
  Array.from({ length: times }, () => ({ kind: 'status', status }));

export interface FakeFile {
  sha256: string;
  body: Buffer;
  mime: string;
  faults: Fault[];
  /** `range` headers of the requests so far, an empty string where there was none. */
  ranges: string[];
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};
const CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'";
const PAGE = '<!doctype html><title>We are back soon</title>';
const DIST = join(import.meta.dirname, '../dist');

/** A body in pieces of a tenth of a second. */
async function* paced(body: Buffer, bytesPerSecond: number) {
  if (bytesPerSecond === Infinity) return void (yield body);
  const piece = Math.ceil(bytesPerSecond / 10);
  for (let at = 0; at < body.length; at += piece) {
    yield body.subarray(at, at + piece);
    await setTimeout(100);
  }
}

const readBody = async (request: IncomingMessage): Promise<unknown> => JSON.parse((await text(request)) || 'null');

/** The player's side of the API in one process, with faults to order; no socket, so devices ask by themselves. */
export class FakeServer {
  readonly files = new Map<string, FakeFile>();
  readonly statuses: StatusMessage[] = [];
  /** What devices have reported of themselves. */
  readonly enrolments: ReturnType<typeof EnrolBody.parse>[] = [];
  readonly batches = new Map<string, unknown[]>();
  /** Addresses signed with an older number are refused. */
  signature = 1;
  paired = true;
  deviceId = '01920000-0000-7000-8000-000000000001';
  /** A proxy answers questions for the manifest with 401 and this body. */
  foreign: string | undefined;
  manifestCalls = 0;
  /** Answers to questions for the manifest, made at once, are sent when this settles. */
  onTheWay: Promise<unknown> | undefined;
  /** Was not notified of the change: polls with a version are answered that it is the newest. */
  behind = false;
  /** Of the player's own files: another number is another service worker. */
  playerVersion = 1;
  /** It is newer than the player: devices cannot read its manifests. */
  newer = false;
  pageCalls = 0;
  /** Requests for the service worker. */
  workerCalls = 0;
  /** Answered in place of the player's page: that of another version, or of a proxy. */
  otherPage: string | undefined;
  programmes: Programme[] = [];
  secondary: Programme[] = [];
  withdrawn: string[] = [];
  expired = false;
  expiresAt: string | null = null;
  bandwidth: number | null = null;
  /** Working hours, levels, and another time zone. */
  settings: Partial<Pick<Manifest, 'workingHours' | 'volume' | 'brightness' | 'timeZone'>> = {};
  version = 1;
  /** Bytes a second of each download. */
  slowBytes = Infinity;
  /** The time of its clock, milliseconds since 1970. */
  now: () => number = Date.now;
  /** Drops the connection instead of answering, after doing the work: the answer is lost. */
  loseAnswer: () => boolean = () => false;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  async listen(port = 0, host = '127.0.0.1'): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, host, resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addFile(body: Buffer, mime = 'video/mp4'): FakeFile {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const file = { sha256, body, mime, faults: [], ranges: [] };
    this.files.set(sha256, file);
    return file;
  }

  manifest(): Manifest {
    const items = [...this.programmes, ...this.secondary].flatMap((p) => Object.values(p.regions).flat());
    const needed = [...new Set(items.map((item: ProgrammeItem) => item.sha256))];
    return {
      version: String(this.version),
      device: { id: this.deviceId, mac: '02:00:00:00:00:01', name: '' },
      serverTime: new Date(this.now()).toISOString(),
      timeZone: 'Europe/Berlin',
      expired: this.expired,
      expiresAt: this.expiresAt,
      bandwidth: this.bandwidth,
      ...this.settings,
      merchant: { username: 'lumen', phone: '+49 30 1234567' },
      files: needed.flatMap((sha256) => {
        const file = this.files.get(sha256);
        return file
          ? [{ sha256, bytes: file.body.length, mime: file.mime, url: `/media/${sha256}?s=${this.signature}` }]
          : [];
      }),
      screens: { main: this.programmes, secondary: this.secondary },
      withdrawn: this.withdrawn,
      app: null,
    };
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    const send = (code: number, data: unknown, headers: Record<string, string> = {}) => {
      if (this.loseAnswer()) return void request.socket.destroy();
      response.writeHead(code, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(code === 200 ? { code, message: 'ok', data } : { code, message: '', error: 'X' }));
    };
    if (url.pathname.startsWith('/media/')) return this.#media(url, request, response);
    switch (url.pathname) {
      case '/health':
        return send(200, { status: 'ok' });
      case '/api/player/enrol': {
        this.enrolments.push(EnrolBody.parse(await readBody(request)));
        const qr = `http://${request.headers.host}/scancode?mac=02:00:00:00:00:01&code=482913`;
        return send(200, this.paired ? { state: 'paired' } : { state: 'pairing', code: '482913', qr, expiresIn: 600 });
      }
      case '/api/player/manifest': {
        this.manifestCalls += 1;
        if (this.foreign !== undefined) return void response.writeHead(401).end(this.foreign);
        if (!this.paired) return send(401, null);
        const etag = `"${this.version}"`;
        const date = new Date(this.now()).toUTCString();
        const holds = request.headers['if-none-match'];
        if (holds === etag || (holds && this.behind)) return void response.writeHead(304, { etag, date }).end();
        const manifest = this.manifest();
        await this.onTheWay;
        return send(200, this.newer ? { ...manifest, screens: [] } : manifest, { etag });
      }
      case '/api/player/status':
        this.statuses.push(StatusMessage.parse(await readBody(request)));
        return send(200, null);
      case '/api/player/plays': {
        const { batch, plays } = PlaysBody.parse(await readBody(request));
        if (!this.batches.has(batch)) this.batches.set(batch, plays);
        return send(200, { accepted: plays.length });
      }
      default:
        return this.#page(url.pathname, response);
    }
  }

  #page(path: string, response: ServerResponse): void {
    const name = path.replace(/^\/player\/?/, '') || 'index.html';
    const file = join(DIST, name);
    if (!file.startsWith(DIST) || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'content-security-policy': CSP,
    });
    if (name === 'index.html') this.pageCalls += 1;
    if (name === 'sw.js') this.workerCalls += 1;
    if (name === 'index.html' && this.otherPage !== undefined) response.end(this.otherPage);
    else if (name === 'sw.js') response.end(`${readFileSync(file, 'utf8')}\n// ${this.playerVersion}`);
    else createReadStream(file).pipe(response);
  }

  #media(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const file = this.files.get(url.pathname.split('/')[2] ?? '');
    if (!file) return void response.writeHead(404).end();
    const range = request.headers.range ?? '';
    file.ranges.push(range);
    if (url.searchParams.get('s') !== String(this.signature)) return void response.writeHead(403).end();
    const fault = file.faults.shift();
    if (fault?.kind === 'status') return void response.writeHead(fault.status, fault.headers).end();
    if (fault?.kind === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    const from = fault?.kind === 'ignoreRange' ? 0 : Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0);
    const total = file.body.length;
    if (from >= total) return void response.writeHead(416, { 'content-range': `bytes */${total}` }).end();
    let body = Buffer.from(file.body.subarray(from));
    if (fault?.kind === 'corrupt') body[body.length - 1] = (body[body.length - 1] ?? 0) ^ 0xff;
    if (fault?.kind === 'tooLong') body = Buffer.concat([body, Buffer.from('more')]);
    const start = fault?.kind === 'wrongRange' ? from + 1 : from;
    response.writeHead(from > 0 ? 206 : 200, {
      'etag': `"${file.sha256}"`,
      'content-type': file.mime,
      'content-length': body.length,
      ...(from > 0 ? { 'content-range': `bytes ${start}-${total - 1}/${total}` } : {}),
    });
    if (fault?.kind !== 'cutAfter') return void Readable.from(paced(body, this.slowBytes)).pipe(response);
    const { bytes, until = setTimeout(20) } = fault;
    response.write(body.subarray(0, bytes), () => void until.then(() => response.destroy()));
  }
}
