import { randomBytes, randomUUID } from 'node:crypto';
import { localMac, makeClient, type Play, routes } from '@ams/contract';
import { dataOf } from '../server.ts';
import type { Operator } from './operator.ts';

const PLAY_MS = 1000;
const PLAYS_A_BATCH = 5;

export class ReplyError extends Error {
  override name = 'ReplyError';
  /** The same call will be refused again. */
  readonly isFinal: boolean;

  constructor(url: string, status: number) {
    super(`${url}: ${status}`);
    this.isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  }
}

/** A device that reports its plays, one batch after the other; a batch without an answer is sent again. */
export class Reporter {
  readonly secret = randomBytes(32).toString('base64url');
  readonly #origin: string;
  readonly mac = localMac(randomBytes(6));
  /** Every play ends where the next begins. */
  #at = Date.now() - 20 * 3_600_000;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async #post(url: string, body: object): Promise<unknown> {
    const reply = await fetch(this.#origin + url, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${this.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new ReplyError(url, reply.status);
    return reply.json();
  }

  async pair(operator: Operator): Promise<string> {
    const calls = makeClient(
      { player: { enrol: routes.player.enrol } },
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client parses what comes
      async ({ url, body }) => (await this.#post(url, body ?? {})) as never,
    );
    const state = dataOf(await calls.player.enrol({ body: { mac: this.mac } }));
    if (state.state !== 'pairing') throw new Error('paired already');
    return dataOf(await operator.calls.devices.pair({ body: { mac: this.mac, code: state.code } })).id;
  }

  batch(releaseId: string, sha256: string): { batch: string; plays: Play[] } {
    const plays = Array.from({ length: PLAYS_A_BATCH }, (): Play => {
      this.#at += PLAY_MS;
      return { releaseId, sha256, at: new Date(this.#at).toISOString(), durationMs: PLAY_MS, screen: 'main' };
    });
    return { batch: randomUUID(), plays };
  }

  report(batch: { batch: string; plays: Play[] }): Promise<unknown> {
    return this.#post(routes.player.plays.url, batch);
  }
}
