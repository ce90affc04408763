import { expect, test } from 'vitest';
import { planVideo, type VideoFacts } from './playable.ts';

const aac = { codec: 'aac' };
const plan = (
  container: VideoFacts['container'],
  codec: string | null,
  codecString: string | null,
  audio?: { codec: string | null },
) => planVideo({ container, codec, codecString, audio, hdr: false, interlaced: false, late: false });

test.each([
  ['H.264 in MP4', plan('mp4', 'avc', 'avc1.640028', aac), 'video/mp4'],
  ['silent H.264', plan('mp4', 'avc', 'avc1.42c01e'), 'video/mp4'],
  ['H.264 from an iPhone', plan('mov', 'avc', 'avc1.640028', aac), 'video/mp4'],
  ['VP9 with Opus', plan('webm', 'vp9', 'vp09.00.21.08', { codec: 'opus' }), 'video/webm'],
  ['VP8', plan('webm', 'vp8', 'vp8', { codec: 'vorbis' }), 'video/webm'],
  ['AV1 in MP4', plan('mp4', 'av1', 'av01.0.04M.08', aac), 'video/mp4'],
])('%s plays as it is', (_, made, mime) => expect(made).toEqual({ kind: 'play', mime }));

test.each([
  ['HEVC', plan('mp4', 'hevc', 'hev1.1.6.L63.90', aac), 'encode', 'copy'],
  ['10-bit H.264', plan('mp4', 'avc', 'avc1.6e0015'), 'encode', 'none'],
  ['4:4:4 H.264', plan('mp4', 'avc', 'avc1.f4001e'), 'encode', 'none'],
  ['ProRes with PCM', plan('mov', 'prores', 'apch', { codec: 'pcm-s16' }), 'encode', 'encode'],
  ['an unknown codec', plan('mov', null, null, { codec: 'ac3' }), 'encode', 'encode'],
  ['H.264 in Matroska', plan('mkv', 'avc', 'avc1.640015', aac), 'copy', 'copy'],
  ['H.264 with AC-3', plan('mp4', 'avc', 'avc1.640015', { codec: 'ac3' }), 'copy', 'encode'],
  ['10-bit VP9', plan('webm', 'vp9', 'vp09.02.21.10', { codec: 'opus' }), 'encode', 'encode'],
])('%s is converted', (_, made, video, audio) => expect(made).toEqual({ kind: 'convert', video, audio }));

test.each([{ hdr: true }, { interlaced: true }])('H.264 that is %j is encoded again', (looks) => {
  const facts = { container: 'mp4', codec: 'avc', codecString: 'avc1.640028', audio: aac } as const;
  const made = planVideo({ ...facts, hdr: false, interlaced: false, late: false, ...looks });
  expect(made).toEqual({ kind: 'convert', video: 'encode', audio: 'copy' });
});

test.each([
  ['H.264', 'avc', 'avc1.640028', 'copy'],
  ['AV1', 'av1', 'av01.0.04M.08', 'encode'],
] as const)('%s that begins late is converted, so that it begins at once', (_, codec, codecString, video) => {
  const facts = { container: 'mp4', codec, codecString, audio: aac, hdr: false, interlaced: false } as const;
  expect(planVideo({ ...facts, late: true })).toEqual({ kind: 'convert', video, audio: 'copy' });
});
