import {
  acceptLanguage,
  type CheckedAmount,
  formatMoney,
  type Language,
  type ProofFault,
  type ProofFaultKind,
} from '@ams/contract';
import type { CheckedFile } from './check-file.ts';
import type { Report } from './report.ts';
import { texts as ar } from './locales/ar.ts';
import { texts as de } from './locales/de.ts';
import { texts as en, type Texts } from './locales/en.ts';
import { texts as es } from './locales/es.ts';
import { texts as fr } from './locales/fr.ts';
import { texts as ja } from './locales/ja.ts';
import { texts as ko } from './locales/ko.ts';
import { texts as pt } from './locales/pt.ts';
import { texts as ru } from './locales/ru.ts';
import { texts as tr } from './locales/tr.ts';
import { texts as vi } from './locales/vi.ts';
import { texts as zh } from './locales/zh.ts';

/** The script of the worker, which the build puts in: the page is one document, also when it is saved. */
declare const WORKER_SCRIPT: string;

const TEXTS: Record<Language, Texts> = { ar, de, en, es, fr, ja, ko, pt, ru, tr, vi, zh };
const FAULT_TEXTS: Record<ProofFaultKind, keyof Texts> = {
  form: 'form',
  digest: 'digest',
  signature: 'signature',
  device: 'device',
  order: 'order',
  link: 'link',
  missing: 'absent',
  repeated: 'repeated',
  totals: 'totals',
  amount: 'amount',
};
const FAULTS_SHOWN = 100;
const MS_A_HOUR = 3_600_000;

const language = acceptLanguage(navigator.languages.join(','));
const words = TEXTS[language];
const number = new Intl.NumberFormat(language);
const hours = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(language, { style: 'percent' });
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
const dateOf = (day: string): string => dates.format(new Date(`${day}T00:00:00Z`));

/** An element with text or children; text is never markup. */
function element(name: string, content: string | (Node | string)[], className = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...(typeof content === 'string' ? [content] : content));
  return made;
}

const result = element('section', [], 'result');
result.setAttribute('role', 'status');

type Tone = 'good' | 'plain' | 'bad';
const SIGNS: Record<Tone, string> = { good: '✓', plain: '!', bad: '✕' };

/** The verdict in one sentence, before everything else. */
const verdict = (tone: Tone, text: string): HTMLElement =>
  element('h2', [element('span', SIGNS[tone], `sign ${tone}`), text], 'verdict');

/** A text with an amount in it, which keeps its own direction. */
function withAmount(text: string, amount: string): (Node | string)[] {
  const [before = '', after = ''] = text.split('{{amount}}');
  return [before, element('bdi', amount), after];
}

/** Whether the amount of the statement follows from the plays. */
function amountLine({ stated, recomputed, proven }: CheckedAmount, money: (amount: string) => string): HTMLElement {
  const line = (tone: Tone, content: (Node | string)[]): HTMLElement =>
    element('p', [element('span', SIGNS[tone], `mark ${tone}`), element('span', content)], 'verdict');
  if (stated !== recomputed) return line('bad', withAmount(words.amountWrong, money(recomputed)));
  if (stated === proven) return line('good', [words.amountRight]);
  return line('plain', withAmount(words.amountPartly, money(proven)));
}

function verdictOf({ faults, proven, counted }: CheckedFile): HTMLElement {
  if (faults.length > 0) return verdict('bad', words.wrong.replace('{{count}}', number.format(faults.length)));
  return proven === counted ? verdict('good', words.right) : verdict('plain', words.partly);
}

const fact = (term: string, value: string): HTMLElement =>
  element('div', [element('dt', term), element('dd', [element('bdi', value)])]);

const days = ({ from, to }: { from: string; to: string }): string => `${dateOf(from)} – ${dateOf(to)}`;

function factsOf({ campaign, amount, ...file }: CheckedFile): HTMLElement {
  const { price, ordered } = campaign;
  const money = (text: string): string => formatMoney(language, text, price.currency);
  return element('dl', [
    fact(words.campaign, campaign.name),
    fact(words.customer, campaign.customer),
    fact(words.flight, days(campaign.schedule)),
    fact(words.price, words[price.kind].replace('{{amount}}', money(price.amount))),
    ...(ordered === null ? [] : [fact(words.ordered, number.format(ordered))]),
    fact(words.counted, number.format(file.counted)),
    fact(words.proven, number.format(file.proven)),
    fact(words.screenTime, hours.format(file.provenMs / MS_A_HOUR)),
    ...(amount ? [fact(words.period, days(amount)), fact(words.stated, money(amount.stated))] : []),
    fact(words.devices, number.format(file.devices)),
    fact(words.batches, number.format(file.batches)),
    fact(words.missing, number.format(file.missing)),
  ]);
}

/** The verdict on the file and on the amount, the faults, and what the file is about. */
function checkedFile(checked: CheckedFile): HTMLElement[] {
  const { amount, campaign } = checked;
  const money = (text: string): string => formatMoney(language, text, campaign.price.currency);
  return [verdictOf(checked), ...(amount ? [amountLine(amount, money)] : []), ...faultsOf(checked), factsOf(checked)];
}

/** Where a fault is and what it is. Names keep their own direction. */
function faultLine({ kind, device, seq }: ProofFault): HTMLElement {
  const name = device === null || device === '' ? [] : [element('bdi', device)];
  const report = seq === null ? '' : words.report.replace('{{seq}}', number.format(seq));
  const place = [name.length > 0 && report !== '' ? ' · ' : '', report].join('');
  const separator = name.length > 0 || report !== '' ? ': ' : '';
  return element('li', [...name, place + separator + words[FAULT_TEXTS[kind]]]);
}

function faultsOf({ faults }: CheckedFile): HTMLElement[] {
  if (faults.length === 0) return [];
  const rows = faults.slice(0, FAULTS_SHOWN).map(faultLine);
  const left = faults.length - rows.length;
  const more = left > 0 ? [element('p', words.more.replace('{{count}}', number.format(left)), 'note')] : [];
  return [element('ul', rows), ...more];
}

/** The bar of progress with its text. */
function progressOf(share: number): HTMLElement[] {
  const bar = document.createElement('progress');
  bar.value = share;
  const text = words.checking.replace('{{share}}', percent.format(share));
  bar.setAttribute('aria-label', text);
  return [element('p', text), bar];
}

function show(report: Report): void {
  switch (report.kind) {
    case 'progress':
      return result.replaceChildren(...progressOf(report.share));
    case 'unreadable':
      return result.replaceChildren(verdict('bad', words.unreadable));
    case 'checked':
      return result.replaceChildren(...checkedFile(report.checked));
  }
}

let running: Worker | undefined;

/** Checks a file in a worker; the one before is given up. */
function check(file: File): void {
  running?.terminate();
  const address = URL.createObjectURL(new Blob([WORKER_SCRIPT], { type: 'text/javascript' }));
  const worker = new Worker(address);
  running = worker;
  worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
    show(data);
    if (data.kind === 'progress') return;
    worker.terminate();
    URL.revokeObjectURL(address);
  });
  worker.addEventListener('error', () => show({ kind: 'unreadable' }));
  show({ kind: 'progress', share: 0 });
  worker.postMessage(file);
}

function chooser(): HTMLElement {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,.gz,application/json';
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) check(file);
    // The same file may be chosen again.
    input.value = '';
  });
  return element('label', [input, element('span', words.choose)], 'choose');
}

function start(): void {
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  document.title = words.title;
  const parts = isSecureContext ? [chooser()] : [verdict('plain', words.insecure)];
  const main = element('main', [element('h1', words.title), element('p', words.intro), ...parts, result]);
  // A page that was saved with its content has one already.
  document.querySelector('main')?.remove();
  document.body.append(main);
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file && isSecureContext) check(file);
  });
}

const ADDRESS = '/share/verify';

/** Keeps the page in the browser, so that it opens without a network. A page on a disk is kept already. */
function keepPage(): void {
  if (location.pathname !== ADDRESS || !('serviceWorker' in navigator)) return;
  // A browser that keeps nothing, as in private windows, checks files all the same.
  navigator.serviceWorker.register('/verify-sw.js', { scope: ADDRESS }).catch(() => undefined);
}

start();
keepPage();
