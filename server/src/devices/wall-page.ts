import { createHash } from 'node:crypto';
import type { Language } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import { Html, markup } from '../platform/http/html.ts';
import { SHARED_PAGE_HEADERS, sharedDocument } from '../platform/http/shared-page.ts';
import { messagesIn } from '../platform/http/messages.ts';

export interface WallTile {
  /** Empty for a device without a name. */
  name: string;
  state: 'online' | 'offline' | 'expired' | 'dark';
  isOnline: boolean;
  picture: { name: string; takenAt: Date } | null;
}

interface WallParts {
  title: string;
  tiles: readonly WallTile[];
  /** Number of devices, of which the tiles may be some. */
  total: number;
  language: Language;
  token: string;
}

/**
 * A few devices are read from a distance of three metres. Nobody scrolls at a reception: the more there are, the smaller
 * they are, until about 40 fit on a screen. On a phone each is a row.
 */
const STYLE = `
:root { color-scheme: light dark; --page: #f4f6fa; --card: #fff; --ink: #131722; --ink-2: #5b6475; --good: #15803d;
  --bad: #c2263a; --soft: #e3e7ef;
  font: clamp(20px, 1.6vw, 44px)/1.3 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC',
  'Microsoft YaHei', 'Noto Sans CJK SC', 'Malgun Gothic', 'Noto Sans Arabic', sans-serif; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --card: #161b24; --ink: #eef1f6; --ink-2: #98a2b3; --good: #4ade80; --bad: #ff8593;
    --soft: #262d3a; }
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--ink); padding: 1em; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .2em 1em;
  margin-bottom: 1em; }
h1 { font-size: 1.6em; line-height: 1.2; }
p { color: var(--ink-2); }
.sums { font-variant-numeric: tabular-nums; }
.lost { display: none; color: var(--bad); font-weight: 700; }
[data-lost] .lost { display: block; }
ul { list-style: none; padding: 0; display: grid; gap: 1em;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 14em), 1fr)); }
li { display: flex; flex-direction: column; border-radius: 16px; background: var(--card); overflow: hidden; }
.picture { position: relative; flex: none; display: grid; place-items: center; height: 9em; padding: .4em; background: var(--soft);
  color: var(--ink-2); text-align: center; }
.picture img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.text { padding: .6em .8em; display: grid; gap: .1em; }
h2 { font-size: 1.15em; line-height: 1.25; }
.state { display: flex; align-items: center; gap: .4em; color: var(--ink); font-weight: 600; }
.state::before { content: ''; width: .7em; height: .7em; border-radius: 50%; border: .15em solid var(--ink-2); }
.online::before { border-color: var(--good); background: var(--good); }
.dark::before { border-color: transparent; box-shadow: inset .25em 0 0 var(--ink-2); }
.expired { color: var(--bad); }
.expired::before { border-color: var(--bad); border-radius: 0; }
.age { font-size: .8em; }
[data-tiles='some'] { font-size: max(13px, .72em); }
[data-tiles='many'] { font-size: max(13px, .42em); grid-template-columns: repeat(auto-fill, minmax(11em, 1fr)); }
@media (max-width: 600px) {
  ul[data-tiles] { font-size: 16px; gap: .6em; grid-template-columns: minmax(0, 1fr); }
  li { flex-direction: row; }
  .picture { width: 6em; height: auto; min-height: 5em; font-size: .9em; }
  .text { align-content: center; }
}
`;

/** Devices that are shown at their full size, and those that still are at three quarters of it. */
const FEW = 8;
const SOME = 18;
const sizeOf = (tiles: number): string => (tiles <= FEW ? 'few' : tiles <= SOME ? 'some' : 'many');

const EVERY_SECONDS = 10;
/** A server that takes longer counts as away: on a dead connection an answer may be awaited for minutes. */
const ANSWERS_WITHIN_SECONDS = 8;

/** Keeps the last state while the server is away; a link that is no longer valid shows the page that says so. */
const SCRIPT = `
setInterval(async () => {
  const root = document.documentElement;
  try {
    const reply = await fetch(location.href, {
      cache: 'no-store',
      signal: AbortSignal.timeout(${ANSWERS_WITHIN_SECONDS * 1000}),
    });
    if (reply.status === 404) return location.reload();
    if (!reply.ok) throw new Error(String(reply.status));
    const next = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const old = new Map([...document.images].map((image) => [image.getAttribute('src'), image]));
    for (const image of next.images) {
      const same = old.get(image.getAttribute('src'));
      if (same) image.replaceWith(same);
    }
    document.querySelector('main').replaceWith(next.querySelector('main'));
    root.removeAttribute('data-lost');
  } catch {
    root.setAttribute('data-lost', '');
  }
}, ${EVERY_SECONDS * 1000});
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const WALL_HEADERS = {
  ...SHARED_PAGE_HEADERS,
  'content-security-policy': [
    `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; img-src 'self'; connect-src 'self'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; '),
};

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ageOf(at: Date, language: Language): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const ms = Date.now() - at.getTime();
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? ['second', 60_000];
  return unit === 'second' ? format.format(0, 'second') : format.format(-Math.floor(ms / length), unit);
}

/** A whole document that renews itself. Nothing in it identifies a device but its name. */
export function wallPage({ title, tiles, total, language, token }: WallParts): string {
  const texts = messagesIn(language).wall;
  const number = new Intl.NumberFormat(language);
  const online = tiles.filter(({ isOnline }) => isOnline).length;
  const rest = total - tiles.length;
  const body = markup`<main>
<header><h1><bdi>${title}</bdi></h1><p class="sums">${fillMessage(texts.sums, {
    online: number.format(online),
    total: number.format(tiles.length),
  })}</p></header>
<p class="lost" role="status">${texts.lost}</p>
${tiles.length === 0 ? markup`<p>${texts.empty}</p>` : ''}
<ul data-tiles="${sizeOf(tiles.length)}">${tiles.map((tile) => tileOf(tile, token, language))}</ul>
${rest > 0 ? markup`<p>${fillMessage(texts.rest, { n: number.format(rest) })}</p>` : ''}
</main><script>${new Html(SCRIPT)}</script>`;
  return sharedDocument({ language, title, style: STYLE, body });
}

function tileOf({ name, state, picture }: WallTile, token: string, language: Language): Html {
  const texts = messagesIn(language).wall;
  const title = name || texts.unnamed;
  const address = picture && `/share/${token}/pictures/${picture.name}?at=${picture.takenAt.getTime()}`;
  return markup`<li>
<div class="picture">${address ? markup`<img src="${address}" alt="">` : texts.noPicture}</div>
<div class="text"><h2><bdi>${title}</bdi></h2><p class="state ${state}">${texts[state]}</p>
${picture ? markup`<p class="age">${fillMessage(texts.picture, { age: ageOf(picture.takenAt, language) })}</p>` : ''}</div>
</li>`;
}
