import { createHash } from 'node:crypto';
import type { Language } from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import { Html, markup } from './html.ts';
import { sharedFormats } from './shared-formats.ts';

/** For a screen of any width, and for A4 paper. */
const STYLE = `
:root { color-scheme: light; --ink: #131722; --ink-2: #5b6475; --line: #e3e7ef; --primary: #2f5bea; --page: #f4f6fa;
  --card: #fff; --shade: rgb(19 23 34 / 18%);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei',
  'Noto Sans CJK SC', 'Malgun Gothic', 'Noto Sans Arabic', sans-serif; }
/* Paper is light. */
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ink: #eef1f6; --ink-2: #98a2b3; --line: #262d3a; --primary: #8fa8ff; --page: #0d1117;
    --card: #161b24; --shade: rgb(0 0 0 / 60%); }
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--ink); padding: 16px; overflow-wrap: anywhere; }
main { max-width: 860px; margin: 0 auto; padding: 24px; border-radius: 16px; background: var(--card); display: grid;
  grid-template-columns: minmax(0, 1fr); gap: 24px; }
header, footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; color: var(--ink-2);
  font-size: 13px; line-height: 18px; }
header { padding-bottom: 12px; border-bottom: 2px solid var(--primary); }
header strong { color: var(--primary); }
footer { padding-top: 12px; border-top: 1px solid var(--line); }
h1 { font-size: 22px; line-height: 28px; }
.subjects { display: flex; flex-wrap: wrap; gap: 4px 24px; }
.subjects:empty { display: none; }
.subjects dt, .sums dt, figcaption { color: var(--ink-2); font-size: 13px; line-height: 18px; }
.subjects dd { font-weight: 600; }
.sums { display: flex; flex-wrap: wrap; gap: 12px 40px; }
.sums dd { font-size: 28px; line-height: 36px; font-weight: 700; font-variant-numeric: tabular-nums; }
figure { display: grid; gap: 8px; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink-2); font-size: 12px; }
.bar { fill: var(--primary); }
.grid { stroke: var(--line); stroke-width: 1; }
table { width: 100%; border-collapse: collapse; font-size: 14px; line-height: 20px; }
th, td { padding: 6px 8px; text-align: start; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--ink-2); font-size: 13px; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
tfoot td { font-weight: 700; border-bottom: none; }
.note { color: var(--ink-2); font-size: 13px; line-height: 18px; }
/* A shadow at each side where columns are cut off. */
.scroll { overflow-x: auto; overflow-wrap: break-word; background:
  linear-gradient(90deg, var(--card) 40%, transparent) left / 48px 100% no-repeat local,
  linear-gradient(270deg, var(--card) 40%, transparent) right / 48px 100% no-repeat local,
  linear-gradient(90deg, var(--shade), transparent) left / 12px 100% no-repeat scroll,
  linear-gradient(270deg, var(--shade), transparent) right / 12px 100% no-repeat scroll; }
h2 { font-size: 16px; line-height: 22px; }
section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.mac { display: block; color: var(--ink-2); font-size: 13px; font-variant-numeric: tabular-nums; }
/* The drawing is scaled down as a whole. */
@media (max-width: 520px) {
  svg text { font-size: 22px; }
  body { padding: 8px; }
  main { padding: 16px; }
  th, td { padding: 6px 4px; }
}
@page { size: A4; margin: 16mm 15mm; }
@media print {
  body { padding: 0; background: none; }
  main { max-width: none; padding: 0; border-radius: 0; }
  table { font-size: 10pt; line-height: 14pt; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  tr, figure, .sums { break-inside: avoid; }
  /* Paper does not scroll. */
  .scroll { overflow: visible; background: none; }
  .scroll td { overflow-wrap: anywhere; }
  .bar, header { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

const hash = createHash('sha256').update(STYLE).digest('base64');

/** For pages that whoever has their address may read: no script, nothing from elsewhere, no trace elsewhere. */
export const SHARED_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cache-control': 'no-store',
  'vary': 'accept-language',
};

/** The reader of the page of a link, and what its footer says. */
export interface LinkReader {
  language: Language;
  words: Messages;
  sharedBy: string;
  /** Null: valid until it is revoked. */
  expiresAt: Date | null;
}

/** Lines below the page of a link: by whom it is shared, and until which date in the first of these zones it is valid. */
export const linkFoot = (
  { language, words: { shares }, sharedBy, expiresAt }: LinkReader,
  timeZones: readonly string[],
): string[] => [
  shares.sharedBy.replace('{{username}}', sharedBy),
  ...(expiresAt ? [shares.validUntil.replace('{{date}}', sharedFormats(language).dateIn(timeZones, expiresAt))] : []),
];

/** A term and its text in a list of facts. */
export const fact = (term: string, text: string): Html =>
  markup`<div><dt>${term}</dt><dd><bdi>${text}</bdi></dd></div>`;

interface SharedPageParts {
  language: Language;
  title: string;
  /** What it is about, in the title of the document: browsers print to a file of this name. */
  about?: readonly string[];
  brand: string;
  body: Html;
  /** Lines below. */
  foot: readonly string[];
}

interface DocumentParts {
  language: Language;
  title: string;
  style: string;
  body: Html;
}

/** A whole document for readers without an account, which no search engine lists. */
export function sharedDocument({ language, title, style, body }: DocumentParts): string {
  const { text } = markup`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>${body}</body>
</html>`;
  return `<!doctype html>${text}`;
}

/** A page with the brand above and lines below. */
export function sharedPage({ language, title, about = [], brand, body, foot }: SharedPageParts): string {
  const lines = foot.map((line) => markup`<span>${line}</span>`);
  return sharedDocument({
    language,
    title: [title, ...about].join(' · '),
    style: STYLE,
    body: markup`<main>
<header><strong>${brand}</strong><span>${title}</span></header>
${body}
${lines.length > 0 ? markup`<footer>${lines}</footer>` : ''}
</main>`,
  });
}
