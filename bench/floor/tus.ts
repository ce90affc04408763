import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

/** Bare tus on a folder. */
const tus = new Server({ path: '/files', datastore: new FileStore({ directory: process.env['FOLDER'] ?? '' }) });
const server = createServer((request, response) => void tus.handle(request, response));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
