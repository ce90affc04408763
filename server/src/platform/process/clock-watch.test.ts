import { expect, test, vi } from 'vitest';
import { startTestServer } from '../../../test/server.ts';
import { beatOnce } from '../../devices/leases.ts';
import { ClockWatch } from './clock-watch.ts';

test('a database whose clock differs by more than a minute is named in the log, once an hour', async () => {
  const { deps } = await startTestServer();
  const error = vi.fn();
  const watch = new ClockWatch({ error });
  const databaseMs = await beatOnce(deps.db, deps.processId);
  watch.note(databaseMs);
  expect(error).not.toHaveBeenCalled();
  for (const ahead of [120_000, 120_000]) watch.note(databaseMs - ahead);
  expect(error).toHaveBeenCalledExactlyOnceWith(
    { aheadSeconds: expect.any(Number) as number },
    expect.stringContaining('differ'),
  );
});

test('a database whose clock is ahead is named, too', () => {
  const error = vi.fn();
  new ClockWatch({ error }).note(Date.now() + 90_000);
  expect(error).toHaveBeenCalledOnce();
});
