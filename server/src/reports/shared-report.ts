import {
  formatMac,
  type PlaysHistory,
  type PlaysRow,
  type ReportGroup,
  type ReportQuery,
  type ShareSubject,
} from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { type Html, markup } from '../platform/http/html.ts';
import { sharedFormats, type SharedFormats } from '../platform/http/shared-formats.ts';
import { fact, linkFoot, type LinkReader, SHARED_PAGE_HEADERS, sharedPage } from '../platform/http/shared-page.ts';
import { playsChart } from '../platform/http/plays-chart.ts';
import { listPlays } from './reports.queries.ts';
import { historyOfPlays } from './reports.service.ts';

type Subject = Extract<ShareSubject, { kind: 'report' }>;

/** More rows than anybody reads on paper; the totals are of all of them. */
const ROWS_MAX = 1000;

const SUBJECTS = ['owner', 'ad', 'device', 'file', 'deviceGroup'] as const;

/** The subjects and the period of a report. */
const partsOf = (about: PlaysHistory): string[] => {
  const { from, to } = about;
  return [...SUBJECTS.flatMap((name) => about[name] ?? []), from === to ? from : `${from} – ${to}`];
};

/** A report for people without an account: what it is about, its course, its table and its totals, made for A4. */
export const sharedReport = {
  headers: SHARED_PAGE_HEADERS,

  prepare: async (trx: Db, maker: Actor, subject: Subject): Promise<{ subject: Subject; title: string }> => ({
    subject,
    title: partsOf(await historyOfPlays(trx, maker, subject.report)).join(' · '),
  }),

  /** The days of each device are fixed: a link shows the same period for as long as it lives. */
  async render(trx: Db, maker: Actor, { report }: Subject, context: LinkReader & { createdAt: Date }): Promise<string> {
    const dated = { ...report, asOf: context.createdAt };
    const about = await historyOfPlays(trx, maker, dated);
    const rows = await listPlays(trx, maker, dated, { limit: ROWS_MAX + 1 });
    return reportPage(about, rows, report, context);
  },
};

function reportPage(about: PlaysHistory, rows: PlaysRow[], { group }: ReportQuery, context: LinkReader): string {
  const { language, words } = context;
  const { reports, shares } = words;
  const format = sharedFormats(language);
  const subjects = SUBJECTS.flatMap((name) => (about[name] === null ? [] : [fact(reports[name], about[name])]));
  const sums = [
    fact(reports.plays, format.number(about.plays)),
    fact(reports.hours, format.hours(about.durationMs)),
    ...(about.scans ? [fact(reports.scans, format.number(about.scans))] : []),
  ];
  const notes = [
    ...(rows.length > ROWS_MAX ? [markup`${shares.rows.replace('{{n}}', format.number(ROWS_MAX))}`] : []),
    ...(about.timeZones.length > 0 ? [markup`${reports.timeZone}: <bdi>${about.timeZones.join(', ')}</bdi>`] : []),
  ];
  const body = markup`<div><h1>${reports.title}</h1><p>${format.period(about)}</p></div>
<dl class="subjects">${subjects}</dl>
<dl class="sums">${sums}</dl>
<figure><figcaption>${about.unit === 'hour' ? shares.byHour : shares.byDay}</figcaption>${playsChart(about, language)}</figure>
${table(about, rows, group, context)}
${notes.map((note) => markup`<p class="note">${note}</p>`)}`;
  const foot = linkFoot(context, about.timeZones);
  return sharedPage({ language, title: reports.title, about: partsOf(about), brand: shares.brand, body, foot });
}

function table(about: PlaysHistory, rows: PlaysRow[], group: ReportGroup, { language, words }: LinkReader): Html {
  const { reports } = words;
  const format = sharedFormats(language);
  // Most ads have no QR code.
  const isScanned = Boolean(about.scans) && group !== 'file';
  const figures = ({ plays, durationMs, scans }: Pick<PlaysRow, 'plays' | 'durationMs' | 'scans'>) => [
    markup`<td class="number">${format.number(plays)}</td><td class="number">${format.hours(durationMs)}</td>`,
    ...(isScanned ? [markup`<td class="number">${format.number(scans ?? 0)}</td>`] : []),
  ];
  const lines = rows
    .slice(0, ROWS_MAX)
    .map((row) => markup`<tr><td>${nameOf(row, group, format, words)}</td>${figures(row)}</tr>\n`);
  return markup`<table>
<thead><tr><th>${reports[group]}</th><th class="number">${reports.plays}</th><th class="number">${reports.hours}</th>${isScanned ? [markup`<th class="number">${reports.scans}</th>`] : []}</tr></thead>
<tbody>${lines}</tbody>
<tfoot><tr><td>${reports.total}</td>${figures(about)}</tr></tfoot>
</table>`;
}

function nameOf({ id, name, mac }: PlaysRow, group: ReportGroup, format: SharedFormats, { reports }: Messages): Html {
  if (group === 'day') return markup`${format.date(id)}`;
  if (group === 'hour') return markup`${format.date(id.slice(0, 10))} ${id.slice(11)}:00`;
  if (mac === null) return markup`<bdi>${name ?? reports.foreign}</bdi>`;
  const address = markup`<bdi class="mac">${formatMac(mac)}</bdi>`;
  return name ? markup`<bdi>${name}</bdi>${address}` : address;
}
