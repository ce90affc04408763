import { clip, makeMedia } from '@ams/player/test/clips';
import { expect, test } from './stories.ts';
import { Stand, item, programme } from './device.ts';

const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterEach(() => stand.turnOff());
test.afterAll(() => stand.end());

/** How long the plays that were reported lasted, in milliseconds, by file. */
const reported = (sha256: string): number[] =>
  [...stand.server.batches.values()].flatMap((plays) =>
    plays.flatMap((play) => {
      const { durationMs, sha256: file } = Object(play);
      return file === sha256 ? [Number(durationMs)] : [];
    }),
  );

for (const rate of [1, 2, 5])
  test(`a video of few frames a second (${rate}) is seen from its first frame on`, async () => {
    const { page } = await stand.device(`slow-${rate}`);
    const source = clip('red', 2, '640x360').replace('rate=30', `rate=${rate}`);
    const slow = stand.server.addFile(makeMedia(stand.folder, `slow-${rate}.mp4`, source));
    stand.release(programme({ full: [item(slow, 2000), item(stand.image('blue'), 1000)] }));
    await page.goto(stand.address());
    await expect.poll(() => reported(slow.sha256).length, { timeout: 60_000 }).toBeGreaterThan(3);
    const lengths = reported(slow.sha256).toSorted((a, b) => a - b);
    // As with any video, starting takes some refreshes of the screen.
    expect(lengths[Math.floor(lengths.length / 2)]).toBeGreaterThan(1800);
  });
