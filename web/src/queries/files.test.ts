import type { Call, Envelope } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { deleteFiles, namedFilesQuery } from './files.ts';

const DeletedIds = z.object({ ids: z.array(z.string()) });
const FIRST = '0198a000-0000-7000-8000-000000000001';
const SECOND = '0198a000-0000-7000-8000-000000000002';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

/** The second file gets this answer, the first one is there. */
function answered(second: Envelope<unknown>): void {
  const there: Envelope<unknown> = { code: 200, message: 'ok', data: { id: FIRST } };
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) => (url.endsWith(SECOND) ? second : there));
}

const fetched = () => queryClient.fetchQuery(namedFilesQuery([FIRST, SECOND]));

test('a file that is gone is left out of those that an address names', async () => {
  answered({ code: 404, error: 'NOT_FOUND', message: 'Not found' });
  expect((await fetched()).map(({ id }) => id)).toEqual([FIRST]);
});

test('a file whose answer was lost is not taken for gone', async () => {
  answered({ code: 0, error: 'TIMEOUT', message: 'timeout of 5000 ms exceeded' });
  await expect(fetched()).rejects.toThrow('timeout');
});

test('more files than a call may name are deleted by several calls, whose results are one', async () => {
  const sent: number[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ body }: Call) => {
    const { ids } = DeletedIds.parse(body);
    sent.push(ids.length);
    return { code: 200, message: 'ok', data: { done: ids.length - 1, failed: [{ id: ids[0], error: 'FILE_IN_USE' }] } };
  });
  const ids = Array.from({ length: 2001 }, (_, n) => `0198a000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`);
  const answer = await deleteFiles(ids);
  expect(sent).toEqual([1000, 1000, 1]);
  expect(answer).toMatchObject({
    data: { done: 1998, failed: [{ id: ids[0] }, { id: ids[1000] }, { id: ids[2000] }] },
  });
});
