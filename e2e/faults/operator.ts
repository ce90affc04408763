import { type Client, type Envelope, makeClient, routes } from '@ams/contract';
import { dataOf, PASSWORD } from '../server.ts';

const isEnvelope = (value: unknown): value is Envelope<unknown> =>
  typeof value === 'object' && value !== null && 'code' in value;

/** Somebody at work by HTTP, whose requests are counted. */
export class Operator {
  readonly origin: string;
  /** What did not come back as a success, in words. */
  readonly failed: string[] = [];
  requests = 0;
  #token = '';

  constructor(origin: string) {
    this.origin = origin;
  }

  async login(): Promise<void> {
    const reply = await this.#fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    this.#token = reply?.headers.get('token') ?? '';
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

  /**
   * Uploads by tus in pieces, from wherever the server says it stands; answers the file's id once it is there.
   * @param metadata as the upload's own header has it, not yet encoded
   */
  async upload(body: Uint8Array<ArrayBuffer>, metadata: Record<string, string>, pieceBytes = 65_536): Promise<string> {
    const tus = { 'tus-resumable': '1.0.0' };
    const encoded = Object.entries(metadata).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
    const created = await this.#fetch('/api/uploads', {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(body.length), 'upload-metadata': encoded.join(',') },
    });
    const place = created?.headers.get('location');
    if (!place) throw new Error('no upload was begun');
    for (let offset = 0; ;) {
      const sent = await this.#fetch(place, {
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        body: body.subarray(offset, offset + pieceBytes),
      });
      const id = sent?.headers.get('file-id');
      if (id) return id;
      if (!sent?.ok) throw new Error('a piece was not taken');
      offset = Number(sent.headers.get('upload-offset'));
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
      if (this.#token) headers.set('authorization', `Bearer ${this.#token}`);
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
