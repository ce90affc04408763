import type { MediaFile } from '@ams/contract';
import { addFile, makeMp4 } from '../../server/test/media.ts';
import { dataOf, type Session, type TestServer } from '../../server/test/server.ts';

type ReleaseBody = Parameters<Session['calls']['ads']['release']>[0]['body'];

/** Releases an ad with a video of one second to devices. */
export async function releaseSpot(server: Pick<TestServer, 'url'>, session: Session, devices: ReleaseBody['devices']) {
  const video: MediaFile = await addFile(server, session, await makeMp4(1, 1), {
    name: 'spot.mp4',
    orientation: 'vertical',
    kind: 2,
  });
  const body = {
    name: 'Spot',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: video.id }] },
  };
  const { id } = dataOf(await session.calls.ads.create({ body }));
  return { video, release: dataOf(await session.calls.ads.release({ params: { id }, body: { devices } })) };
}
