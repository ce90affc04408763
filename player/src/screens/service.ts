import type { LogLine } from '../platform/log.ts';
import { fillMessage } from '@ams/contract/messages/explain';
import type { Texts } from '../locales/load.ts';

/** A row of the service page: a label and its current value. */
export interface Fact {
  label: string;
  value: string;
  /** Somebody should look at it. */
  bad?: boolean;
}

export interface ServiceActions {
  /** Read again every few seconds while the page is open. */
  facts(): Promise<Fact[]>;
  lines(): readonly LogLine[];
  /** Connection speed as text. */
  testSpeed(signal: AbortSignal): Promise<string>;
  rotate(): Promise<void>;
  /** Undefined where there is no second screen. */
  openSecondScreen: (() => Promise<unknown>) | undefined;
  restart(): void;
  forget(): Promise<void>;
}

const REFRESH_MS = 2000;
/** A page that was left open closes, because the ads play beneath it. */
const CLOSE_AFTER_MS = 5 * 60_000;

function make<K extends keyof HTMLElementTagNameMap>(name: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function drawFacts(list: HTMLElement, facts: readonly Fact[]): void {
  list.replaceChildren(
    ...facts.map(({ label, value, bad }) => {
      const row = make('div', bad ? 'bad' : '');
      const text = make('dd', '', value);
      // A name or an address keeps its own text direction.
      text.dir = 'auto';
      row.append(make('dt', '', label), text);
      return row;
    }),
  );
}

function drawLog(list: HTMLElement, lines: readonly LogLine[]): void {
  const newest = lines.at(-1);
  const mark = `${lines.length} ${newest?.at ?? ''} ${newest?.text ?? ''}`;
  if (list.dataset['mark'] === mark) return;
  list.dataset['mark'] = mark;
  list.replaceChildren(
    ...lines.toReversed().map(({ at, level, text }) => {
      const line = make('li', level);
      line.append(make('time', '', at.slice(0, 19).replace('T', ' ')), make('span', '', text));
      return line;
    }),
  );
}

type MakeButton = (text: string, className: string, act: (pressed: HTMLButtonElement) => void) => HTMLButtonElement;

const buttonMaker =
  (signal: AbortSignal): MakeButton =>
  (text, className, act) => {
    const made = make('button', className, text);
    made.type = 'button';
    made.addEventListener('click', () => act(made), { signal });
    return made;
  };

/** Draws the actions; one that forgets the device asks first, in place of the buttons. */
function drawButtons(
  buttons: HTMLElement,
  texts: Texts,
  actions: ServiceActions,
  button: MakeButton,
  signal: AbortSignal,
): void {
  const testSpeed = (pressed: HTMLButtonElement) => {
    pressed.disabled = true;
    pressed.textContent = '…';
    void actions
      .testSpeed(signal)
      .catch(() => texts.noAnswer)
      .then((words) => {
        pressed.disabled = false;
        pressed.textContent = `${texts.speedTest}: ${words}`;
      });
  };
  const askToForget = () => {
    const question = make('p', '', texts.forgetAsk);
    const yes = button(texts.forget, 'danger', () => void actions.forget());
    const no = button(texts.cancel, '', () => drawButtons(buttons, texts, actions, button, signal));
    buttons.replaceChildren(question, no, yes);
    no.focus();
  };
  const { openSecondScreen } = actions;
  buttons.replaceChildren(
    button(texts.speedTest, '', testSpeed),
    button(texts.rotate, '', () => void actions.rotate()),
    ...(openSecondScreen ? [button(texts.secondScreen, '', () => void openSecondScreen())] : []),
    button(texts.restart, '', actions.restart),
    button(texts.forget, 'danger', askToForget),
  );
}

/** Closes the page by Escape or when nobody has used it for a while. Returns a function that ends this. */
function closeWhenIdle(page: HTMLDialogElement, signal: AbortSignal): () => void {
  let idle = setTimeout(() => page.close(), CLOSE_AFTER_MS);
  const restart = () => {
    clearTimeout(idle);
    idle = setTimeout(() => page.close(), CLOSE_AFTER_MS);
  };
  for (const type of ['pointerdown', 'keydown', 'wheel'] as const) page.addEventListener(type, restart, { signal });
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && page.close(), { signal });
  return () => clearTimeout(idle);
}

/** Opens the page over what plays; resolves when it is closed. */
export function openServicePage(texts: Texts, actions: ServiceActions): Promise<void> {
  const closed = new AbortController();
  const { signal } = closed;
  const button = buttonMaker(signal);
  const page = make('dialog', 'service');
  const [facts, buttons, log] = [make('dl'), make('div', 'buttons'), make('ol', 'log')];
  log.tabIndex = 0;
  const head = make('header');
  head.append(
    make('h1', '', texts.service),
    button(texts.close, 'primary', () => page.close()),
  );
  const sheet = make('div', 'sheet');
  sheet.append(head, facts, buttons, make('h2', '', texts.log), log);
  page.append(sheet);
  drawButtons(buttons, texts, actions, button, signal);
  document.body.append(page);
  // Not modal: a modal dialog leaves the body, and would not turn with it.
  page.show();

  const refresh = async () => {
    drawFacts(facts, await actions.facts());
    drawLog(log, actions.lines());
  };
  return new Promise((resolve) => {
    const stopIdle = closeWhenIdle(page, signal);
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    void refresh();
    page.addEventListener('close', () => {
      clearInterval(timer);
      stopIdle();
      closed.abort();
      page.remove();
      resolve();
    });
  });
}

/** `1.5 GB` and the like, as people of that language write it. */
export function sizeText(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: power > 2 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}

export const speedText = (bitsPerSecond: number, language: string, texts: Texts): string =>
  fillMessage(texts.speed, {
    speed: new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(bitsPerSecond / 1e6),
  });
