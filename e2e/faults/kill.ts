import { setTimeout as sleep } from 'node:timers/promises';
import { RealServer } from '../server.ts';
import { type Acknowledged, Ledger } from './ledger.ts';
import { load, prepare } from './load.ts';
import { Operator } from './operator.ts';

export interface Killed {
  kills: number;
  /** Acknowledged by the server before, between and after the kills. */
  acknowledged: Acknowledged;
  /** Violations found afterwards (`Ledger.audit`). */
  wrong: string[];
  slowestStartMs: number;
}

const LIVE_MS = { least: 300, most: 2500 };

/** Kills the server at random moments under load, and checks what remains. */
export async function kill(port: number, kills: number): Promise<Killed> {
  const server = new RealServer({ port, ownPostgres: true });
  const ledger = new Ledger();
  const over = new AbortController();
  let slowestStartMs = 0;
  try {
    await server.start();
    const operator = new Operator(server.origin);
    await operator.login();
    const known = await prepare(server, operator);
    const loaded = load(server, operator, ledger, known, over.signal);
    for (let turn = 0; turn < kills; turn += 1) {
      await sleep(LIVE_MS.least + Math.random() * (LIVE_MS.most - LIVE_MS.least));
      await server.stop('SIGKILL');
      const begin = performance.now();
      await server.start();
      slowestStartMs = Math.max(slowestStartMs, performance.now() - begin);
    }
    await sleep(LIVE_MS.most);
    over.abort();
    await loaded;
    const wrong = await ledger.audit(server, operator);
    return { kills, acknowledged: ledger.acknowledged, wrong, slowestStartMs: Math.round(slowestStartMs) };
  } finally {
    over.abort();
    await server.end();
  }
}

export default async function run(kills = 50): Promise<void> {
  console.log(await kill(4705, kills));
}
