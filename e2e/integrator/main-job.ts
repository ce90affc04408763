/**
 * A program by somebody who has only the OpenAPI document: the client's types are generated from it
 * (`api.gen.ts`). Uploads a video, releases it to a device, and plays the device until the release is done there.
 *
 * Usage: `node main-job.ts <origin> <username> <password> <video>`
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import { Upload } from 'tus-js-client';
import type { components, paths } from './api.gen.ts';

type Api = Client<paths>;
type Schemas = components['schemas'];

const [origin = '', username = '', password = '', video = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: `${origin}/api` });

/** The data of a success; an error is thrown with its name. */
function dataOf<T>(answer: { data?: { data: T } | undefined; error?: { error: string; message: string } }): T {
  if (answer.data === undefined) throw new Error(`${answer.error?.error}: ${answer.error?.message}`);
  return answer.data.data;
}

/** A client that keeps the latest token of the responses. */
async function logIn(): Promise<{ api: Api; token: () => string }> {
  const answer = await api.POST('/login', { body: { username, password } });
  const started = dataOf(answer);
  if ('challenge' in started) throw new Error('a second factor is required');
  let token = answer.response.headers.get('token') ?? '';
  api.use({
    onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${token}`),
    onResponse: ({ response }) => {
      token = response.headers.get('token') ?? token;
    },
  });
  return { api, token: () => token };
}

/** Uploads by tus in its default settings and returns the file when it is ready. */
async function upload(token: string): Promise<Schemas['MediaFile']> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const bytes = readFileSync(video);
  const sending = new Upload(bytes, {
    endpoint: `${origin}/api/uploads`,
    headers: { authorization: `Bearer ${token}` },
    metadata: { filename: 'Autumn.mp4', filetype: 'video/mp4' },
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('file-id') ?? ''),
    onError: reject,
  });
  sending.start();
  const id = await promise;
  for (;;) {
    const file = dataOf(await api.GET('/files/{id}', { params: { path: { id } } }));
    if (file.state === 'ready') return file;
    if (file.state === 'failed') throw new Error(`the file failed: ${file.failure}`);
    await sleep(200);
  }
}

/** A device that shows a code, and the user that enters it. */
async function pair(): Promise<{ device: Schemas['Device']; secret: string }> {
  const secret = randomBytes(32).toString('base64url');
  const mac = `02:00:5e:${[...randomBytes(3)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`;
  const shown = dataOf(
    await createClient<paths>({ baseUrl: `${origin}/api` }).POST('/player/enrol', {
      headers: { authorization: `Bearer ${secret}` },
      body: { mac },
    }),
  );
  if (shown.state !== 'pairing') throw new Error('the device is paired already');
  const device = dataOf(await api.POST('/devices/pair', { body: { mac, code: shown.code, name: 'Lobby' } }));
  return { device, secret };
}

/** The device's side: reads its manifest, downloads every file, and reports that all are there. */
async function download(secret: string): Promise<void> {
  const own = createClient<paths>({ baseUrl: `${origin}/api`, headers: { authorization: `Bearer ${secret}` } });
  const manifest = dataOf(await own.GET('/player/manifest'));
  if (manifest.files.length === 0) throw new Error('nothing was released to the device');
  let doneBytes = 0;
  for (const { url, bytes } of manifest.files) {
    const received = await (await fetch(origin + url)).arrayBuffer();
    if (received.byteLength !== bytes) throw new Error('the file has another size');
    doneBytes += bytes;
  }
  const body: Schemas['StatusMessage'] = {
    manifestVersion: manifest.version,
    download: { state: 'done', doneBytes, totalBytes: doneBytes },
  };
  const { error } = await own.POST('/player/status', { body });
  if (error) throw new Error(error.message);
}

async function main(): Promise<void> {
  const { token } = await logIn();
  const file = await upload(token());
  const { device, secret } = await pair();
  const ad = dataOf(
    await api.POST('/ads', {
      body: {
        name: 'Autumn',
        orientation: file.orientation,
        split: 'full',
        regions: { full: [{ kind: 'file', fileId: file.id }] },
      },
    }),
  );
  const release = dataOf(
    await api.POST('/ads/{id}/release', {
      params: { path: { id: ad.id }, header: { 'idempotency-key': randomBytes(8).toString('hex') } },
      body: { devices: { ids: [device.id] } },
    }),
  );
  await download(secret);
  for (let tries = 0; ; tries += 1) {
    const { counts } = dataOf(await api.GET('/releases/{id}', { params: { path: { id: release.id } } }));
    if (counts.done === counts.total) break;
    if (tries === 100) throw new Error(`the release is not done: ${JSON.stringify(counts)}`);
    await sleep(100);
  }
  console.log(`released ${ad.name} to ${device.mac}: done`);
}

await main();
