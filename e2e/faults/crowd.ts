import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../percentile.ts';
import { RealServer } from '../server.ts';
import { Operator } from './operator.ts';

/** Effect of one address on all others. */
export interface Crowd {
  sockets: number;
  /** How many of them were open at the same time. */
  open: number;
  memoryBytesASocket: number;
  /** An operator's list times before and during the load. */
  p99Ms: number;
  p99BeforeMs: number;
  failed: string[];
  /** After how long the server was rid of them all. */
  goneAfterMs: number;
}

const LOOKS = 50;
const LOOK_MS = 50;
const OPEN_AT_ONCE = 200;

/** Messages of a client that only wants to cause load. */
const NUISANCES = {
  silent: () => '',
  halfHeads: () => 'GET /api/devices HTTP/1.1\r\nhost: ams\r\nx-slowly: ',
  strangers: () =>
    [
      'GET /api/player/socket HTTP/1.1',
      'host: ams',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      `sec-websocket-protocol: ams, ${randomBytes(32).toString('base64url')}`,
      '\r\n',
    ].join('\r\n'),
};

/** Sockets of one address that are open. */
class Swarm {
  readonly #open = new Set<Socket>();
  most = 0;

  async open(port: number, count: number, words: () => string): Promise<void> {
    for (let begun = 0; begun < count; begun += OPEN_AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(OPEN_AT_ONCE, count - begun) }, () => this.#add(port, words())));
    }
  }

  #add(port: number, words: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        this.most = Math.max(this.most, this.#open.add(socket).size);
        socket.write(words);
        resolve();
      });
      socket.on('error', () => undefined).resume();
      socket.on('close', () => {
        this.#open.delete(socket);
        resolve();
      });
    });
  }

  async gone(): Promise<void> {
    while (this.#open.size > 0) await sleep(LOOK_MS);
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** Bytes of memory that a process holds. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** How long lists take, one after the other. */
async function look(operator: Operator, looks: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < looks; turn += 1) {
    const begin = performance.now();
    await operator.get('/api/devices');
    times.push(performance.now() - begin);
    await sleep(LOOK_MS);
  }
  return Math.round(percentile(times, 0.99));
}

async function crowd(server: RealServer, sockets: number, words: () => string): Promise<Crowd> {
  const swarm = new Swarm();
  try {
    const operator = new Operator(server.origin);
    await operator.login();
    const p99BeforeMs = await look(operator, LOOKS);
    const before = memoryOf(server.pid);
    const begin = performance.now();
    const [p99Ms] = await Promise.all([
      look(operator, LOOKS),
      swarm.open(Number(new URL(server.origin).port), sockets, words),
    ]);
    const memory = memoryOf(server.pid) - before;
    await swarm.gone();
    return {
      sockets,
      open: swarm.most,
      memoryBytesASocket: Math.round(memory / swarm.most),
      p99Ms,
      p99BeforeMs,
      failed: operator.failed,
      goneAfterMs: Math.round(performance.now() - begin),
    };
  } finally {
    swarm.end();
  }
}

/** Many sockets of one address that want nothing good, while somebody works. */
export async function crowds(port: number, sockets: number): Promise<Record<keyof typeof NUISANCES, Crowd>> {
  const server = new RealServer({ port, ownPostgres: true });
  try {
    await server.start();
    return {
      silent: await crowd(server, sockets, NUISANCES.silent),
      halfHeads: await crowd(server, sockets, NUISANCES.halfHeads),
      strangers: await crowd(server, sockets, NUISANCES.strangers),
    };
  } finally {
    await server.end();
  }
}

export default async function run(sockets = 10_000): Promise<void> {
  console.dir(await crowds(4715, sockets), { depth: null });
}
