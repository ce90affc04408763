import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dataOf, makeDatabase } from '../../test/server.ts';
import { ServerPrograms } from '../../test/server-program.ts';

/** Wrong codes of one account that are looked at in ten minutes, and those of a network. */
const LIMIT = { account: 10, network: 60 };
const PASSWORD = 'password1';
const PATIENCE_MS = 120_000;

const data = await mkdtemp(path.join(tmpdir(), 'ams-pairing-'));
const { url } = await makeDatabase();
const programs = new ServerPrograms(url, data, { AMS_TRUST_PROXY: '127.0.0.1', AMS_CALLS_PER_MINUTE: '0' });
afterAll(async () => {
  await programs.end();
  await rm(data, { recursive: true, force: true });
});

test(
  'wrong codes at two server processes at once are as many tries as at one, by account and by network',
  async () => {
    const servers = [await programs.start(), await programs.start()] as const;
    const admin = await servers[0].login();
    const wrong = { body: { mac: '02:00:5e:00:00:99', code: '000000' } };
    const signIn = async (username: string): Promise<string> => {
      dataOf(await admin.calls.users.create({ body: { username, password: PASSWORD, role: 'member' } }));
      return (await servers[0].login(username)).token;
    };
    /** How many guesses by these tokens from an address were looked at. */
    const guessed = async (tokens: readonly string[], address: string): Promise<number> => {
      const replies = await Promise.all(
        tokens.map((token, nth) =>
          (servers[nth % 2] ?? servers[0]).as(token, { 'x-forwarded-for': address }).devices.pair(wrong),
        ),
      );
      expect(replies.filter(({ code }) => code !== 422 && code !== 429)).toEqual([]);
      return replies.filter(({ code }) => code === 422).length;
    };
    for (let round = 0; round < 6; round += 1) {
      const token = await signIn(`guesser${round}x2026`);
      expect(await guessed(Array<string>(30).fill(token), `198.51.100.${round}`)).toBe(LIMIT.account);
    }
    const some: string[] = [];
    for (let each = 0; each < 8; each += 1) some.push(await signIn(`neighbour${each}x2026`));
    expect(await guessed(Array.from({ length: 10 }, () => some).flat(), '203.0.113.7')).toBe(LIMIT.network);
  },
  PATIENCE_MS,
);
