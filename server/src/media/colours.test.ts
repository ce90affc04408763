import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFile, makeMedia } from '../../test/media.ts';
import { type Session, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
let member: Session;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-colours-'));
  server = await startTestServer();
  member = await server.createUser('member');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['RGB', ['-c:v', 'qtrle', '-pix_fmt', 'rgb24']],
  ['the matrix of standard definition', ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj422p']],
  ['a matrix without a name', ['-c:v', 'prores_ks', '-vf', 'scale=out_color_matrix=bt709,format=yuv422p10le']],
])('a converted video in %s keeps its colours, as browsers see them in high definition', async (_, codec) => {
  const lime = ['-f', 'lavfi', '-i', 'color=lime:size=720x1280:rate=5:duration=0.4'];
  const original = await makeMedia('a.mov', ...lime, ...codec);
  const file = await addFile(server, member, original, { name: 'a.mov', orientation: 'vertical', kind: 2 });
  expect(file).toMatchObject({ state: 'ready', mime: 'video/mp4' });
  const made = path.join(folder, 'made');
  await writeFile(made, Buffer.from(await (await fetch(server.url + file.url)).arrayBuffer()));
  const seen = ['-i', made, '-frames:v', '1', '-vf', 'scale=in_color_matrix=bt709', '-pix_fmt', 'rgb24'];
  const { channels } = await sharp(await makeMedia('frame.png', ...seen)).stats();
  expect(channels[0]?.mean).toBeLessThan(12);
  expect(channels[1]?.mean).toBeGreaterThan(243);
  expect(channels[2]?.mean).toBeLessThan(15);
});
