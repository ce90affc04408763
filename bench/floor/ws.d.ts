import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';

// `ws` exports these, its types do not.
declare module 'ws' {
  interface Receiver extends Writable {}
  const Receiver: new (options: { isServer: boolean }) => Receiver;
  const Sender: new (socket: Socket) => { pong(data: Buffer, isMasked: boolean): void };
}
