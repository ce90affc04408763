import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Files of a folder by their names, whole or in part: `createReadStream().pipe()` and nothing else. */
const folder = process.env['FOLDER'] ?? '';
const server = createServer(({ url = '', headers }, response) => {
  const file = path.join(folder, path.basename(url));
  const { size } = statSync(file);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const [start, end] = first === undefined ? [0, size - 1] : [Number(first), Number(last)];
  if (first !== undefined) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
  response.writeHead(first === undefined ? 200 : 206, { 'content-length': end - start + 1 });
  createReadStream(file, { start, end }).pipe(response);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
