import { FragileBrowser, Stand, item, programme, shown } from '../e2e/device.ts';

const KILLS = 20;
const BYTES_PER_SECOND = 300_000;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A device whose power is cut at random moments of a download: what it fetched is not fetched again. */
export default async function bench(): Promise<void> {
  const stand = new Stand();
  await stand.start();
  try {
    const file = stand.large(1);
    stand.release(programme({ full: [item(file)] }));
    stand.server.slowBytes = BYTES_PER_SECOND;
    const browser = new FragileBrowser(`${stand.folder}/fragile`);
    for (let kill = 0; kill < KILLS; kill++) {
      await browser.start(stand.address());
      await wait(300 + Math.random() * 1500);
      await browser.kill();
    }
    stand.server.slowBytes = Infinity;
    const page = await browser.start(stand.address());
    while ((await shown(page)) !== file.sha256) await wait(100);
    await browser.kill();
    const starts = file.ranges.map((range) => Number(/\d+/.exec(range)?.[0] ?? 0));
    const lost = starts.filter((start, index) => start < (starts[index - 1] ?? 0)).length;
    console.log(`${KILLS} kills, ${file.body.length} bytes, fetched from ${starts.join(', ')}`);
    console.log(`${lost} times less was on the disk than before; the file plays`);
  } finally {
    await stand.end();
  }
}
