import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { session } from '../session.ts';
import { lookUp } from './transfer.ts';
import { forget, unfinishedOf, unfinishedUrls } from './unfinished.ts';

const PLACE = ['ann', 'ann', 'vertical', 2] as const;
const FINGERPRINT = `${PLACE.join('|')}|1000|1|clip.mp4`;
const URL = 'http://localhost/api/uploads/1';

/** The names that tabs hold; only the look at them is needed here. */
let held: string[] = [];

beforeEach(() => {
  held = [];
  const locks = {
    query: async () => ({ held: held.map((name) => ({ name })), pending: [] }),
  } as unknown as LockManager;
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(locks);
});
afterEach(() => {
  vi.restoreAllMocks();
  forget(FINGERPRINT);
});

const begin = (uploadUrl = URL) =>
  unfinishedUrls.addUpload(FINGERPRINT, {
    size: 1000,
    metadata: { name: 'clip.mp4' },
    creationTime: '',
    urlStorageKey: FINGERPRINT,
    uploadUrl,
    parallelUploadUrls: null,
  });
const addresses = async () =>
  (await unfinishedUrls.findUploadsByFingerprint(FINGERPRINT)).map((each) => each.uploadUrl);

test('the end of a session leaves no name of a file in the browser, and its page still knows where the upload is', async () => {
  await begin();
  session.clear();
  expect(unfinishedOf(PLACE)).toEqual([]);
  expect(await addresses()).toEqual([URL]);
  // It continues: after a reload it is among the unfinished ones again.
  expect(unfinishedOf(PLACE)).toMatchObject([{ name: 'clip.mp4', size: 1000 }]);
});

test('an upload that was discarded or is done is known no more', async () => {
  await begin();
  forget(FINGERPRINT);
  expect(await addresses()).toEqual([]);
});

test.each([
  ['done', { status: 200, headers: { 'upload-offset': '1000' } }, true, []],
  ['gone', { status: 404 }, false, []],
  ['on its way', { status: 200, headers: { 'upload-offset': '400' } }, false, [400]],
  ['refused for now', { status: 503 }, false, [0]],
])('of an upload that is %s at the server, the page shows what is true', async (_state, answer, isDone, sent) => {
  await begin();
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, answer));
  expect(await lookUp(FINGERPRINT)).toBe(isDone);
  expect(unfinishedOf(PLACE).map((each) => each.sent)).toEqual(sent);
});

test('an upload that begins anew during the look at the one before keeps its address', async () => {
  await begin();
  const answer = Promise.withResolvers<Response>();
  const asked = vi.spyOn(globalThis, 'fetch').mockReturnValue(answer.promise);
  const looking = lookUp(FINGERPRINT);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  await begin(`${URL}2`);
  answer.resolve(new Response(null, { status: 404 }));
  expect(await looking).toBe(false);
  expect(await addresses()).toEqual([`${URL}2`]);
});

test('an upload that a tab sends is not looked at, which would cut its connection', async () => {
  await begin();
  held = [`ams_upload|${FINGERPRINT}`];
  const asked = vi.spyOn(globalThis, 'fetch');
  expect(await lookUp(FINGERPRINT)).toBe(false);
  expect(asked).not.toHaveBeenCalled();
});
