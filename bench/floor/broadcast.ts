import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** Bare `ws`: greets every client, and sends one message to all on request. */
const word = JSON.stringify({ type: 'manifest', version: 'x'.repeat(22) });
const server = createServer((_request, response) => {
  for (const client of sockets.clients) client.send(word);
  response.end('{}');
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false, handleProtocols: () => 'ams' });
sockets.on('connection', (socket) => socket.send(word));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
