import { UPLOAD_URL } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestServer } from '../server.ts';
import { metadataOf } from '../tus.ts';
import { NASTY_TEXTS, nastyText } from './hostile.ts';
import { failureFault, send, type Wire } from './wire.ts';
import { growForeign, growTree } from './world.ts';

/** tus with headers that are right, almost right and hostile. */
const REQUESTS = Math.ceil(Number(process.env['FUZZ_REQUESTS'] ?? 1500) / 5);

const server = await startTestServer({ AMS_TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent' });

const headerText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS.filter((text) => /^[\x20-\x7e]*$/.test(text))),
  fc
    .string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 60 })
    .map((text) => text.replaceAll('\x7f', '')),
);
const mostly = <T>(right: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 5, arbitrary: right }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

const wishes = fc.record(
  {
    name: mostly(fc.constantFrom('a.mp4', 'b.jpg', 'c.webm'), nastyText),
    filename: mostly(fc.constantFrom('a.apk', 'b.jpg'), nastyText),
    orientation: mostly(fc.constantFrom('vertical', 'horizontal'), nastyText),
    owner: fc.constantFrom('@own@', '@foreign@', 'x'),
    kind: mostly(fc.constantFrom('1', '2', '3', '4', '5', 'app'), nastyText),
    content: nastyText,
    forced: fc.constantFrom('true', 'false', 'yes'),
    istype: fc.constantFrom('1', '2', '3', '9'),
  },
  { requiredKeys: ['name', 'orientation', 'kind'] },
);

const number = mostly(
  fc.integer({ min: 0, max: 200 }).map(String),
  fc.constantFrom('-1', '1e3', '0x10', '99999999999999999999', String(2 ** 53), '1.5', '', ' 5', '5 '),
  headerText,
);

const headers = fc.record(
  {
    'tus-resumable': mostly(fc.constant('1.0.0'), fc.constantFrom('0.2.2', '2.0.0'), headerText),
    'upload-length': number,
    'upload-offset': number,
    'upload-defer-length': fc.constantFrom('1', '0', 'x'),
    'upload-concat': fc.constantFrom('partial', 'final;/api/uploads/a /api/uploads/b', 'x'),
    'upload-checksum': fc.constantFrom(
      'sha1 x',
      'md5 ',
      'sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      'crc32 0',
    ),
    'content-type': mostly(fc.constant('application/offset+octet-stream'), fc.constantFrom('application/json', 'x')),
    'x-http-method-override': fc.constantFrom('PATCH', 'DELETE', 'TRACE'),
    'x-upload-id': fc.constantFrom('../../etc/passwd', '@foreign-upload@'),
  },
  { requiredKeys: ['tus-resumable'] },
);

const shots = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'PATCH', 'PATCH', 'PATCH', 'HEAD', 'DELETE', 'OPTIONS', 'GET', 'PUT'),
  id: fc.constantFrom('', '', '@own-upload@', '@own-upload@', '@foreign-upload@', '@file@', 'x', '..%2f..', '%00'),
  headers,
  metadata: mostly(wishes.map(metadataOf), headerText, fc.constantFrom('name', 'name ', 'name !', ',,', 'a b,a b')),
  body: fc.option(fc.uint8Array({ maxLength: 120 }), { nil: undefined }),
});

test(
  `${REQUESTS} upload requests: no fault, and nothing of others is touched`,
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const [own, foreign] = [await growTree(server, 'own'), await growForeign(server)];
    const names: Record<string, string | undefined> = {
      '@own@': own.member.user.id,
      '@foreign@': foreign.member.user.id,
      '@own-upload@': own.things['upload'],
      '@foreign-upload@': foreign.things['upload'],
      '@file@': own.things['file'],
    };
    const fill = (text: string) => text.replace(/@[\w-]+@/g, (name) => names[name] ?? name);
    const faults = new Map<string, string>();
    for (const { method, id, headers: given, metadata, body } of fc.sample(shots, { seed, numRuns: REQUESTS })) {
      const wire: Wire = {
        method,
        path: fill(id === '' ? UPLOAD_URL : `${UPLOAD_URL}/${id}`),
        headers: {
          authorization: `Bearer ${own.boss.token}`,
          ...(method === 'POST' && { 'upload-metadata': fill(metadata) }),
          ...given,
          ...('x-upload-id' in given && { 'x-upload-id': fill(given['x-upload-id'] ?? '') }),
          ...(body && { 'content-length': String(body.length) }),
        },
        body: body && Buffer.from(body),
      };
      const { status, headers: answered, text } = await send(server.url, wire);
      const location = answered.location?.split('/').at(-1);
      if (location) names['@own-upload@'] = location;
      const isForeign = id === '@foreign-upload@' && status < 400 && method !== 'OPTIONS';
      const envelope = status >= 400 && method !== 'HEAD' ? failureFault(status, text) : undefined;
      const leak = foreign.marks.some((mark) => text.includes(mark)) ? 'shows a mark' : undefined;
      const fault = status >= 500 ? `answered ${status}` : isForeign ? 'opened a foreign upload' : (envelope ?? leak);
      if (fault) faults.set(`${method} ${fault}`, `${JSON.stringify(wire)}\n${text}`);
    }
    expect([...faults].flat().join('\n\n'), `seed ${seed}`).toBe('');
    const left = await send(server.url, {
      method: 'HEAD',
      path: `${UPLOAD_URL}/${foreign.things['upload']}`,
      headers: { 'authorization': `Bearer ${foreign.member.token}`, 'tus-resumable': '1.0.0' },
      body: undefined,
    });
    expect(left.headers).toMatchObject({ 'upload-offset': '0', 'upload-length': '100' });
  },
  60_000 + REQUESTS * 100,
);
