import { gzipSync } from 'node:zlib';
import { join, latin1, repeat, u16le, u32, u32le, u8 } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';
import { LAUGHS } from './jpeg-files.ts';
import { box } from './movie.ts';

/** Files with a wrong extension, for programs that inspect the content or follow its references. */

const SECRET = 'http://127.0.0.1:9/secret';
const HLS = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nconcat:${SECRET}|file:///etc/passwd\n#EXT-X-ENDLIST\n`;
const CONCAT = 'ffconcat version 1.0\nfile /etc/passwd\nfile http://127.0.0.1:9/secret\n';
const DASH = `<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation><BaseURL>${SECRET}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
const SDP = 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\na=rtpmap:96 H264/90000\n';

const chunk = (type: string, content: Buffer): Buffer => join(latin1(type), u32le(content.length), content);

/** An AVI whose subtitles are a playlist: what CVE-2017-9993 was about. */
const avi = (): Buffer => {
  const gab2 = join(latin1('GAB2\0'), u16le(2), u32le(2), latin1('s\0'), u16le(4), u32le(HLS.length), latin1(HLS));
  const list = (type: string, content: Buffer): Buffer => chunk('LIST', join(latin1(type), content));
  const header = list('hdrl', chunk('avih', Buffer.alloc(56)));
  const body = list('movi', chunk('00tx', gab2));
  return chunk('RIFF', join(latin1('AVI '), header, body));
};

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99999" height="99999"><script>alert(1)</script><image xlink:href="file:///etc/passwd"/></svg>`;
const XXE = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`;

const VIDEOS: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ['a playlist of HLS', () => latin1(HLS)],
  [
    'a playlist of HLS with a key',
    () => latin1(`#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${SECRET}"\n#EXTINF:1,\n/etc/passwd\n`),
  ],
  ['a list of films', () => latin1(CONCAT)],
  ['a manifest of DASH', () => latin1(DASH)],
  ['a session of RTP', () => latin1(SDP)],
  ['an AVI whose subtitles are a playlist', avi],
  ['a list of films behind a box', () => join(box('ftyp', latin1('isom'), u32(0)), latin1(`\n${HLS}`))],
  ['a playlist in free space', () => join(box('free', latin1(`\n${HLS}`)), box('moov'))],
  ['a playlist behind the head of Matroska', () => join(Buffer.from('1a45dfa3', 'hex'), latin1(`\n${HLS}`))],
  ['a film as raw pictures', () => latin1('YUV4MPEG2 W65535 H65535 F1:1\nFRAME\n')],
  ['a page', () => latin1('<!doctype html><script>alert(1)</script>'.padEnd(100))],
  ['a program', () => join(Buffer.from('7f454c46', 'hex'), Buffer.alloc(1000))],
  ['nothing but zeros', () => Buffer.alloc(100_000)],
  ['one byte', () => u8(0)],
];

const PICTURES: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ['an SVG with a script', () => latin1(SVG)],
  ['an SVG with an external entity', () => latin1(XXE)],
  ['an SVG of a billion laughs', () => latin1(`${LAUGHS}<svg xmlns="http://www.w3.org/2000/svg">&lol9;</svg>`)],
  ['a packed SVG', () => gzipSync(latin1(SVG))],
  ['a PostScript program', () => latin1('%!PS\n(/etc/passwd) (r) file 100 string readstring\n')],
  ['a PDF', () => latin1('%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\n')],
  [
    'drawing commands',
    () => latin1("push graphic-context\nimage over 0,0 0,0 'https://127.0.0.1:9/x'\npop graphic-context\n"),
  ],
  ['a TIFF that points at itself', () => join(latin1('II*\0'), u32le(8), u16le(0), u32le(8))],
  [
    'a TIFF of 65,535 pages',
    () =>
      join(
        latin1('II*\0'),
        u32le(8),
        repeat(65_535, (index) => join(u16le(0), u32le(8 + 6 * (index + 1)))),
      ),
  ],
  [
    'a bitmap of 2^31 lines',
    () => join(latin1('BM'), u32le(100, 0, 54, 40, 2 ** 31 - 1, 2 ** 31 - 1), Buffer.alloc(40)),
  ],
  ['an icon', () => join(u8(0, 0, 1, 0, 255, 255), Buffer.alloc(500, 0xff))],
  [
    'a picture of phones',
    () => join(box('ftyp', latin1('heic'), u32(0), latin1('mif1heic')), box('meta', Buffer.alloc(50))),
  ],
  ['a raw picture of 10^9 pixels', () => latin1('P6 31623 31623 65535\n')],
  ['a page', () => latin1('<!doctype html><script>alert(1)</script>'.padEnd(100))],
  ['a playlist', () => latin1(HLS)],
  ['nothing but zeros', () => Buffer.alloc(100_000)],
];

export const disguiseFiles = (): HostileFile[] => [
  ...VIDEOS.map(([name, make]) =>
    filesOf('video that is', 'video', '.mp4')(name, 'a program that follows the content', make),
  ),
  ...PICTURES.map(([name, make]) =>
    filesOf('picture that is', 'picture', '.png')(name, 'a program that follows the content', make),
  ),
  ...PICTURES.map(([name, make]) =>
    filesOf('screenshot that is', 'screenshot', '.jpg')(name, 'a program that follows the content', make),
  ),
  filesOf('screenshot that is', 'screenshot', '.jpg')('empty', 'a read out of range', () => Buffer.alloc(0)),
];
