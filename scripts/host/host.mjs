/** `AMSHost` for the player in a Chromium that `npm run kiosk` has started (docs/host-app.md). */
import { connect } from './devtools.mjs';

/** Messages from the page to us. */
const BINDING = 'amsHostCall';
const WATCH_MS = 30_000;
/** A page that answers nothing for so long hangs. */
const HANGS_AFTER_MS = 90_000;

/** @typedef {Awaited<ReturnType<typeof import('./linux.mjs').linuxActions>>} Actions */

/**
 * The script that gives the player's pages their `AMSHost`, with those functions that there are.
 * @param {string} origin of the player
 * @param {string[]} names
 */
export const hostScript = (origin, names) => `(() => {
  if (location.origin !== ${JSON.stringify(origin)}) return;
  const call = (...message) => ${BINDING}(JSON.stringify(message));
  window.AMSHost = Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, (...args) => call(name, ...args)]));
})()`;

const isPercent = (/** @type {unknown} */ value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100;

/**
 * Does what a page asks for. Resolves with the script that answers it, if there is an answer.
 * @param {Actions & { restart: () => void }} actions
 * @param {string} payload
 * @returns {Promise<string | undefined>}
 */
export async function answerCall(actions, payload) {
  const [name, value] = JSON.parse(payload);
  switch (name) {
    case 'restart':
      actions.restart();
      return undefined;
    case 'setPower':
      if (typeof value === 'boolean') await actions.setPower?.(value);
      return undefined;
    case 'setVolume':
      if (isPercent(value)) await actions.setVolume?.(value);
      return undefined;
    case 'setBrightness':
      if (isPercent(value)) await actions.setBrightness?.(value);
      return undefined;
    case 'takeScreenshot': {
      // Without a picture the player sends its own.
      const picture = await actions.takeScreenshot?.().catch(() => undefined);
      const detail = JSON.stringify(picture?.toString('base64') ?? '');
      return `dispatchEvent(new CustomEvent('ams-screenshot', { detail: ${detail} }))`;
    }
    default:
      return undefined;
  }
}

/**
 * Serves a browser until it ends: opens the player with its `AMSHost`, and ends a browser whose page hangs.
 * @param {import('node:child_process').ChildProcess} browser started with `--remote-debugging-pipe` and an empty page
 * @param {{ address: string, actions: Actions, note: (text: string) => void }} options
 */
export function serveBrowser(browser, { address, actions, note }) {
  const [, , , output, input] = browser.stdio;
  if (!output || !input || !('write' in output) || !('read' in input)) throw new Error('the browser has no pipe');
  const all = { ...actions, restart: () => void browser.kill('SIGKILL') };
  const names = Object.entries(all).flatMap(([name, action]) => (action ? [name] : []));
  const script = hostScript(new URL(address).origin, names);
  let isOpen = false;
  /** @type {string | undefined} */
  let main;
  // By a clock that nobody sets: computers without one of their own get the time from the network.
  let answeredAt = performance.now();

  const devtools = connect(input, output, ({ method, params = {}, sessionId }) => {
    if (method === 'Target.attachedToTarget') return void attach(String(params.sessionId), params.targetInfo);
    if (method === 'Runtime.bindingCalled' && params.name === BINDING) {
      answerCall(all, String(params.payload))
        .then((expression) => (expression ? devtools.send('Runtime.evaluate', { expression }, sessionId) : undefined))
        .catch((error) => note(`the host failed: ${error instanceof Error ? error.message : String(error)}`));
    }
  });

  /** @param {string} session @param {unknown} target */
  async function attach(session, target) {
    const isPage = typeof target === 'object' && target !== null && 'type' in target && target.type === 'page';
    if (isPage) {
      await devtools.send('Runtime.enable', {}, session);
      await devtools.send('Runtime.addBinding', { name: BINDING }, session);
      await devtools.send('Page.enable', {}, session);
      await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: script }, session);
    }
    void devtools.send('Runtime.runIfWaitingForDebugger', {}, session);
    if (!isPage || isOpen) return;
    isOpen = true;
    main = session;
    await devtools.send('Page.navigate', { url: address }, session);
  }

  const watch = setInterval(() => {
    if (main === undefined) return;
    void devtools.send('Runtime.evaluate', { expression: '1' }, main).then(() => (answeredAt = performance.now()));
    if (performance.now() - answeredAt < HANGS_AFTER_MS) return;
    note('the player hangs: its browser is restarted');
    browser.kill('SIGKILL');
  }, WATCH_MS);
  browser.once('close', () => clearInterval(watch));
  // Second windows, too, wait for their `AMSHost` before they load.
  void devtools.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
}
