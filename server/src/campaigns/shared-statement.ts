import {
  formatMac,
  formatMoney,
  latestDate,
  type ShareSubject,
  type Statement,
  type StatementDevice,
  type StatementFigures,
  type StatementGap,
} from '@ams/contract';
import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { type Html, markup } from '../platform/http/html.ts';
import { playsChart } from '../platform/http/plays-chart.ts';
import { sharedFormats } from '../platform/http/shared-formats.ts';
import { fact, linkFoot, type LinkReader, SHARED_PAGE_HEADERS, sharedPage } from '../platform/http/shared-page.ts';
import { writeProof } from './proof.service.ts';
import { getStatement } from './statement.service.ts';
import { GAP_TEXT } from './statement.sheets.ts';

type Subject = Extract<ShareSubject, { kind: 'statement' }>;

type Reader = Pick<LinkReader, 'language' | 'words'>;

interface Context extends LinkReader {
  token: string;
}

/** More rows than anybody reads on paper; the totals are of all of them. */
const ROWS_MAX = 1000;

/** The customer, the campaign and the period of a statement. */
const partsOf = ({ campaign, from, to }: Statement): string[] => [
  campaign.customer,
  campaign.name,
  from === to ? from : `${from} – ${to}`,
];

/** The statement of a campaign for people without an account, made for A4. */
export const sharedStatement = {
  headers: SHARED_PAGE_HEADERS,

  async prepare(trx: Db, maker: Actor, subject: Subject): Promise<{ subject: Subject; title: string }> {
    const statement = await getStatement(trx, maker, subject.campaignId, subject);
    return { subject, title: partsOf(statement).join(' · ') };
  },

  /** The verification file of its campaign. */
  proof: (db: Db, { campaignId, from, to }: Subject, allow: () => Promise<unknown>) =>
    writeProof(db, campaignId, { from, to }, allow),

  render: async (trx: Db, maker: Actor, subject: Subject, context: Context): Promise<string> =>
    statementPage(await getStatement(trx, maker, subject.campaignId, subject), context),
};

function statementPage(statement: Statement, context: Context): string {
  const { language, words } = context;
  const { statements, shares } = words;
  const format = sharedFormats(language);
  const body = markup`<div><h1>${statements.title}</h1><p>${format.period(statement)}</p></div>
${subjectsOf(statement, context)}
${sumsOf(statement, context)}
${chartOf(statement, context)}
${chargesTable(statement, context)}
${gapsTable(statement, context)}
${viewsOf(statement, context)}
${notesOf(statement, context)}
<p><a href="/share/${context.token}/proof" download>${statements.proof}</a> · <a href="/share/verify">${statements.verify}</a></p>`;
  const foot = linkFoot(context, statement.timeZones);
  const about = partsOf(statement);
  return sharedPage({ language, title: statements.title, about, brand: shares.brand, body, foot });
}

function subjectsOf({ campaign, price: { kind, amount, currency } }: Statement, { language, words }: Reader): Html {
  const { statements } = words;
  const price = statements[kind].replace('{{amount}}', formatMoney(language, amount, currency));
  return markup`<dl class="subjects">${[
    fact(statements.campaign, campaign.name),
    fact(statements.customer, campaign.customer),
    fact(statements.price, price),
  ]}</dl>`;
}

function sumsOf(statement: Statement, { language, words: { statements, reports } }: Reader): Html {
  const { number, hours } = sharedFormats(language);
  return markup`<dl class="sums">${[
    fact(statements.ordered, number(statement.ordered)),
    fact(statements.delivered, number(statement.delivered)),
    fact(reports.hours, hours(statement.durationMs)),
    fact(statements.makeGoods, number(statement.makeGoods)),
    ...(statement.scans === null ? [] : [fact(statements.scans, number(statement.scans))]),
    fact(statements.amount, formatMoney(language, statement.amount, statement.currency)),
  ]}</dl>`;
}

const chartOf = ({ days, createdAt, timeZones }: Statement, { language, words }: Reader): Html => {
  const today = latestDate(Date.parse(createdAt), timeZones);
  const begun = days.filter(({ day, delivered }) => delivered > 0 || day <= today);
  const points = begun.map(({ day, delivered, durationMs }) => ({ at: day, plays: delivered, durationMs }));
  return markup`<figure><figcaption>${words.shares.byDay}</figcaption>${playsChart({ points, unit: 'day' }, language)}</figure>`;
};

type Heading = readonly [text: string, isNumber: boolean];

/** A table whose columns are texts or numbers, with its totals. */
function table(title: string, headings: readonly Heading[], rows: readonly Html[][], total: readonly Html[]): Html {
  const cells = (row: readonly Html[]) =>
    row.map((cell, index) =>
      headings[index]?.[1] ? markup`<td class="number">${cell}</td>` : markup`<td>${cell}</td>`,
    );
  return markup`<section><h2>${title}</h2><div class="scroll" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr>${headings.map(([text, isNumber]) => (isNumber ? markup`<th class="number">${text}</th>` : markup`<th>${text}</th>`))}</tr></thead>
<tbody>${rows.slice(0, ROWS_MAX).map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody>
${total.length > 0 ? markup`<tfoot><tr>${cells(total)}</tr></tfoot>` : ''}
</table></div></section>`;
}

function chargesTable(statement: Statement, { language, words: { statements, reports } }: Reader): Html {
  const { number, period } = sharedFormats(language);
  const { price, currency, lines } = statement;
  const isFixed = price.kind === 'fixed';
  const money = (amount: string) => markup`<bdi>${formatMoney(language, amount, currency)}</bdi>`;
  return table(
    statements.amount,
    [
      [statements.period, false],
      [statements.delivered, true],
      [isFixed ? statements.chargedDays : statements.charged, true],
      [statements.amount, true],
    ],
    lines.map((line) => [
      markup`${period(line)}`,
      markup`${number(line.plays)}`,
      markup`${number(isFixed ? line.days : line.charged)}`,
      money(line.amount),
    ]),
    [markup`${reports.total}`, markup`${number(statement.delivered)}`, markup``, money(statement.amount)],
  );
}

function gapsTable({ gaps, missed }: Statement, { language, words: { statements, reports } }: Reader): Html {
  if (gaps.length === 0) return markup``;
  const { number } = sharedFormats(language);
  return table(
    statements.gaps,
    [
      [statements.reason, false],
      [reports.plays, true],
    ],
    gaps.map(({ reason, plays }) => [markup`${statements[GAP_TEXT[reason]]}`, markup`${number(plays)}`]),
    [markup`${reports.total}`, markup`${number(missed)}`],
  );
}

/** Days, areas, devices and creatives: each adds up to the same totals. */
function viewsOf(statement: Statement, reader: Reader): Html {
  const { statements, reports } = reader.words;
  const format = sharedFormats(reader.language);
  const figures = ({ ordered, delivered, durationMs }: Omit<StatementFigures, 'due'>): Html[] => [
    markup`${format.number(ordered)}`,
    markup`${format.number(delivered)}`,
    markup`${format.hours(durationMs)}`,
  ];
  const heads: Heading[] = [
    [statements.ordered, true],
    [statements.delivered, true],
    [reports.hours, true],
  ];
  const total = [markup`${reports.total}`, ...figures(statement)];
  const view = <T extends Omit<StatementFigures, 'due'>>(title: string, rows: readonly T[], name: (row: T) => Html) =>
    table(
      title,
      [[title, false], ...heads],
      rows.map((row) => [name(row), ...figures(row)]),
      total,
    );
  return markup`${[
    view(reports.day, statement.days, ({ day }) => markup`${format.date(day)}`),
    view(statements.area, statement.areas, ({ area }) => markup`<bdi>${area ?? statements.noArea}</bdi>`),
    view(reports.ad, statement.creatives, ({ name }) => markup`<bdi>${name}</bdi>`),
    table(
      reports.device,
      [[reports.device, false], [statements.area, false], ...heads, [statements.reason, false]],
      statement.devices.map((row) => [
        nameOf(row, statements.aScreen),
        markup`<bdi>${row.area ?? statements.noArea}</bdi>`,
        ...figures(row),
        reasonsOf(row.gaps, reader),
      ]),
      [markup`${reports.total}`, markup``, ...figures(statement), markup`${format.number(statement.missed)}`],
    ),
  ]}`;
}

function nameOf({ name, mac }: StatementDevice, unnamed: string): Html {
  if (mac === null) return markup`<bdi>${name || unnamed}</bdi>`;
  const address = markup`<bdi class="mac">${formatMac(mac)}</bdi>`;
  return name ? markup`<bdi>${name}</bdi>${address}` : address;
}

const reasonsOf = (gaps: readonly StatementGap[], { language, words }: Reader): Html =>
  markup`${gaps.map(({ reason, plays }, index) => {
    const text = `${words.statements[GAP_TEXT[reason]]}: ${sharedFormats(language).number(plays)}`;
    return index === 0 ? markup`<bdi>${text}</bdi>` : markup`<br><bdi>${text}</bdi>`;
  })}`;

function notesOf(
  { devices, timeZones, createdAt }: Statement,
  { language, words: { statements, shares, reports } }: Reader,
): Html {
  const notes = [
    markup`${statements.asOf.replace('{{time}}', sharedFormats(language).moment(createdAt))}`,
    markup`${statements.rounding}`,
    ...(devices.length > ROWS_MAX
      ? [markup`${shares.rows.replace('{{n}}', sharedFormats(language).number(ROWS_MAX))}`]
      : []),
    ...(timeZones.length > 0 ? [markup`${reports.timeZone}: <bdi>${timeZones.join(', ')}</bdi>`] : []),
  ];
  return markup`${notes.map((note) => markup`<p class="note">${note}</p>`)}`;
}
