import { afterEach, expect, test } from 'vitest';
import { session } from '../session.ts';
import { forget, unfinishedOf, unfinishedUrls } from './unfinished.ts';

const PLACE = ['ann', 'ann', 'vertical', 2] as const;
const FINGERPRINT = `${PLACE.join('|')}|1000|1|clip.mp4`;
const URL = 'http://localhost/api/uploads/1';

afterEach(() => forget(FINGERPRINT));

const begin = () =>
  unfinishedUrls.addUpload(FINGERPRINT, {
    size: 1000,
    metadata: { name: 'clip.mp4' },
    creationTime: '',
    urlStorageKey: FINGERPRINT,
    uploadUrl: URL,
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
