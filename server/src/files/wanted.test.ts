import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { WantedWork } from './wanted.ts';

const server = await startTestServer();

test('a step ends with its file although the step before it returned later than it began', async () => {
  const member = await server.createUser('member');
  const { id } = await addFile(server, member, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const wanted = new WantedWork(server.deps);
  const { signal } = new AbortController();
  const first = Promise.withResolvers<void>();
  const before = wanted.during(id, signal, () => first.promise);
  let ended = false;
  const next = wanted.during(id, signal, async (unwanted) => {
    await wait(20_000, undefined, { signal: unwanted }).catch(() => undefined);
    ended = unwanted.aborted;
    unwanted.throwIfAborted();
  });
  first.resolve();
  await before;
  dataOf(await member.calls.files.delete({ params: { id } }));
  await vi.waitFor(() => expect(ended).toBe(true), { timeout: 5000 });
  await next;
});
