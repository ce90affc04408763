import { type Client, isEnvelope, makeClient, routes } from '@ams/contract';
import { dataOf, PASSWORD } from '../server.ts';

const TUS = { 'tus-resumable': '1.0.0' };

/** Somebody at work by HTTP, whose requests are counted. */
export class Operator {
  readonly origin: string;
  /** Failed calls, as text. */
  readonly failed: string[] = [];
  requests = 0;
  token = '';

  constructor(origin: string) {
    this.origin = origin;
  }

  async login(): Promise<void> {
    const reply = await this.#fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    this.token = reply?.headers.get('token') ?? '';
  }

  /** The calls of the contract. A failure is noted, and thrown. */
  get calls(): Client<typeof routes> {
    return makeClient(routes, async ({ method, url, body }) => {
      const response = await this.#fetch(url, {
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const reply: unknown = await response?.json();
      if (!isEnvelope(reply)) throw new Error(`no answer from ${method} ${url}`);
      return reply;
    });
  }

  /** Undefined when nothing came back. */
  get(url: string): Promise<Response | undefined> {
    return this.#fetch(url, { method: 'GET' });
  }

  /** Uploads by tus in pieces and returns the file's id. `metadata`: as `begin` has it. */
  async upload(body: Uint8Array<ArrayBuffer>, metadata: Record<string, string>, pieceBytes = 65_536): Promise<string> {
    return this.send(await this.begin(body.length, metadata), body, pieceBytes);
  }

  /**
   * Begins an upload; answers its address.
   * @param metadata as the upload's own header has it, not yet encoded
   */
  async begin(bytes: number, metadata: Record<string, string>): Promise<string> {
    const encoded = Object.entries(metadata).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
    const begun = await this.#fetch('/api/uploads', {
      method: 'POST',
      headers: { ...TUS, 'upload-length': String(bytes), 'upload-metadata': encoded.join(',') },
    });
    const place = begun?.headers.get('location');
    if (!place) throw new Error('no upload was begun');
    return place;
  }

  /** Sends the missing bytes of an upload from the server's offset; returns the file's id. */
  async send(place: string, body: Uint8Array<ArrayBuffer>, pieceBytes: number): Promise<string> {
    for (let reply = await this.#fetch(place, { method: 'HEAD', headers: TUS }); ;) {
      const id = reply?.headers.get('file-id');
      if (id) return id;
      if (!reply?.ok) throw new Error('the upload was interrupted');
      const offset = Number(reply.headers.get('upload-offset'));
      reply = await this.#fetch(place, {
        method: 'PATCH',
        headers: { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        body: body.subarray(offset, offset + pieceBytes),
      });
    }
  }

  /** Waits until a file can be released. */
  async ready(id: string): Promise<void> {
    for (;;) {
      const { state } = dataOf(await this.calls.files.get({ params: { id } }));
      if (state === 'ready') return;
      if (state === 'failed') throw new Error(`file ${id} failed`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async #fetch(url: string, init: RequestInit): Promise<Response | undefined> {
    this.requests += 1;
    const what = `${init.method} ${url.replace(/[\da-f]{8}-[\da-f-]+/g, ':id')}`;
    try {
      const headers = new Headers(init.headers);
      if (this.token) headers.set('authorization', `Bearer ${this.token}`);
      const response = await fetch(this.origin + url, { ...init, headers });
      if (!response.ok) this.failed.push(`${response.status} ${what}`);
      return response;
    } catch (error) {
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      this.failed.push(`${reason} ${what}`);
      return undefined;
    }
  }
}
