import { type Manifest, type ProgrammeQr, QR_PERCENT } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import type { Texts } from '../locales/load.ts';
import type { Enrolling } from '../sync/enrol.ts';
import type { MediaAccess } from '../store/media.ts';
import { dropHeldFrame } from './held.ts';
import { QUIET_MODULES } from './qr-path.ts';
import { qrSvg } from './qr.ts';

/** Content of the whole screen. */
export type View =
  /** Something is about to play; the last frame of the page before stays. */
  | { kind: 'starting' }
  | { kind: 'pairing'; mac: string; enrolling: Enrolling | undefined }
  | { kind: 'playing'; showClock: boolean; qr: ProgrammeQr | undefined }
  /** `percent` of the first programme's files, while there are any to come. */
  | { kind: 'standby'; percent: number | undefined }
  /** Outside the working hours: nothing at all. */
  | { kind: 'dark' }
  | { kind: 'expired'; mac: string; merchant: Manifest['merchant'] };

export interface ViewOptions {
  texts: Texts;
  language: string;
  /** As dates and times are written. */
  locale: string;
  storage: MediaAccess['kind'];
}

const $ = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};

/** Writes only what differs, so that a watching eye (or a screen reader) sees no flicker. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** `https://ads.example.com/scancode?mac=…` as a person types it. */
function typedAddress(qr: string): string {
  if (!URL.canParse(qr)) return '';
  const { host, pathname } = new URL(qr);
  return `${host}${pathname}`;
}

function drawPairing({ mac, enrolling }: Extract<View, { kind: 'pairing' }>, { texts }: ViewOptions): void {
  const pairing = enrolling?.pairing;
  const qr = $('[data-qr]');
  if (qr.dataset['qr'] !== (pairing?.qr ?? '')) {
    qr.dataset['qr'] = pairing?.qr ?? '';
    qr.replaceChildren(...(pairing ? [qrSvg(pairing.qr)] : []));
  }
  write($('[data-testid="mac"]'), mac);
  const code = $('[data-testid="code"]');
  if (code.textContent !== (pairing?.code ?? '')) {
    const halves = pairing ? [pairing.code.slice(0, 3), pairing.code.slice(3)] : [];
    code.replaceChildren(...halves.map((half) => Object.assign(document.createElement('span'), { textContent: half })));
  }
  const address = pairing ? typedAddress(pairing.qr) : location.host;
  const [before = '', after = ''] = texts.pairOpen.split('{{address}}');
  const bdi = Object.assign(document.createElement('bdi'), { textContent: address });
  const opener = $('[data-fill="pairOpen"]');
  if (opener.textContent !== before + address + after) opener.replaceChildren(before, bdi, after);
  const waiting = enrolling?.problem ?? texts.waiting;
  const network = $('.network');
  network.dataset['network'] = !enrolling ? 'connecting' : enrolling.reachable ? 'online' : 'offline';
  const advice = $('[data-fill="advice"]');
  write(advice, fillAddress(texts.offlineHint));
  advice.hidden = network.dataset['network'] !== 'offline';
  write($('[data-fill="network"]'), !enrolling ? texts.connecting : enrolling.reachable ? waiting : texts.offline);
}

function drawExpired({ mac, merchant }: Extract<View, { kind: 'expired' }>, { texts }: ViewOptions): void {
  const contact = merchant ? fillMessage(texts.expiredContact, { merchant: merchant.username }) : texts.expiredDealer;
  write($('[data-fill="expiredContact"]'), contact);
  write($('[data-fill="phone"]'), merchant?.phone ?? '');
  write($('[data-fill="expiredMac"]'), mac);
}

/** Draws the code of the programme on screen, once for as long as it stays. */
function drawCode(qr: ProgrammeQr | undefined, showClock: boolean): void {
  const code = $('#code');
  code.hidden = qr === undefined;
  if (!qr) return;
  const text = new URL(qr.address, location.href).href;
  code.dataset['corner'] = qr.corner;
  code.dataset['clock'] = String(showClock);
  code.style.setProperty('--edge', String(QR_PERCENT[qr.size]));
  if (code.dataset['text'] === text) return;
  code.dataset['text'] = text;
  code.replaceChildren(qrSvg(text, QUIET_MODULES));
}

const SECTIONS: Record<View['kind'], string | undefined> = {
  starting: undefined,
  playing: undefined,
  dark: undefined,
  pairing: '#pairing',
  standby: '#standby',
  expired: '#expired',
};

/** `AM` and similar marks are small, beside the digits. */
const clockPart = ({ type, value }: Intl.DateTimeFormatPart): Node | string =>
  type === 'dayPeriod' ? Object.assign(document.createElement('small'), { textContent: value }) : value.trim();

const fillAddress = (text: string): string => fillMessage(text, { address: location.host });

/** A line at the foot of the screen, over whatever it shows. */
export function showHint(text: string | undefined): void {
  const hint = $('#hint');
  write(hint, text ?? '');
  hint.hidden = text === undefined;
}

/** Shown if the page cannot store the device's identity. */
export const showRefused = (texts: Texts): void => showHint(fillAddress(texts.refused));

/** Draws the page around the stage. `data-state` on the root element names the view. */
export function makeView(options: ViewOptions) {
  const { texts, language, locale, storage } = options;
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  document.title = texts.product;
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = Object.entries(texts).find(([key]) => key === element.dataset['text']);
    if (text) element.textContent = text[1];
  }
  showHint(storage === 'insecure' ? texts.insecure : storage === 'refused' ? fillAddress(texts.refused) : undefined);

  return {
    show(view: View): void {
      document.documentElement.dataset['state'] = view.kind;
      if (view.kind !== 'starting') dropHeldFrame();
      for (const [kind, selector] of Object.entries(SECTIONS)) {
        if (selector) $(selector).hidden = kind !== view.kind;
      }
      $('#clock').hidden = !(view.kind === 'playing' && view.showClock);
      drawCode(view.kind === 'playing' ? view.qr : undefined, view.kind === 'playing' && view.showClock);
      if (view.kind === 'pairing') drawPairing(view, options);
      if (view.kind === 'expired') drawExpired(view, options);
      if (view.kind === 'standby') {
        const note =
          view.percent === undefined
            ? texts.nothing
            : fillMessage(texts.downloading, { percent: String(view.percent) });
        write($('[data-fill="standbyNote"]'), note);
      }
    },
    /** Sets the clocks to an instant (milliseconds since 1970) in the device's time zone. */
    tick(now: number, timeZone: string): void {
      const clock = new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' });
      const time = clock.format(now);
      const date = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full' }).format(now);
      write($('#clock'), time);
      const big = $('[data-fill="clock"]');
      if (big.dataset['time'] !== time) {
        big.dataset['time'] = time;
        big.replaceChildren(...clock.formatToParts(now).map(clockPart));
      }
      write($('[data-fill="date"]'), date);
    },
  };
}
