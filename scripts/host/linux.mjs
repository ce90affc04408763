/** What a Linux computer can do for the player, by the programs that it has. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const TIMEOUT_MS = 10_000;
const PICTURE_BYTES_MAX = 64 * 2 ** 20;

/** @param {string} program @param {string[]} args */
const runProgram = async (program, args) => {
  const { stdout } = await execute(program, args, {
    encoding: 'buffer',
    timeout: TIMEOUT_MS,
    maxBuffer: PICTURE_BYTES_MAX,
  });
  return stdout;
};

const hasBacklight = () => {
  try {
    return readdirSync('/sys/class/backlight').length > 0;
  } catch {
    return false;
  }
};

/**
 * @typedef {object} Computer
 * @property {Record<string, string | undefined>} env
 * @property {(program: string) => boolean} isProgram whether it is on the PATH
 * @property {boolean} backlight whether there is one to set
 * @property {(program: string, args: string[]) => Promise<Buffer>} run resolves with its output
 */

/** @param {Pick<Computer, 'isProgram'>} tools @returns {Computer} */
export const thisComputer = ({ isProgram }) => ({
  env: process.env,
  isProgram,
  backlight: hasBacklight(),
  run: runProgram,
});

/** Whether a program runs to its end without an error. @param {Promise<unknown>} running */
const succeeds = (running) =>
  running.then(
    () => true,
    () => false,
  );

/**
 * The names of the outputs that `wlr-randr` lists: one unindented line each, the name first. Debian 12 packages a version
 * that has no `--json`.
 *
 * @param {Buffer} answer
 */
const outputsIn = (answer) =>
  answer
    .toString()
    .split('\n')
    .flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);

/** @param {Computer} computer */
async function powerOf({ env, isProgram, run }) {
  if (env.WAYLAND_DISPLAY) {
    // Fails with compositors that do not let programs change outputs, such as cage before 0.1.5.
    if (!isProgram('wlr-randr') || !(await succeeds(run('wlr-randr', [])))) return undefined;
    return async (/** @type {boolean} */ on) => {
      for (const name of outputsIn(await run('wlr-randr', []))) {
        await run('wlr-randr', ['--output', name, on ? '--on' : '--off']);
      }
    };
  }
  if (!env.DISPLAY || !isProgram('xset')) return undefined;
  // Without DPMS, as in Xvfb and the dummy driver, `xset` fails with exit code 0.
  const state = await run('xset', ['q']).catch(() => '');
  if (!/DPMS is (?:Enabled|Disabled)/.test(String(state))) return undefined;
  return async (/** @type {boolean} */ on) => {
    if (!on) await run('xset', ['+dpms']);
    await run('xset', ['dpms', 'force', on ? 'on' : 'off']);
    // Otherwise the display would go off by itself later.
    if (on) await run('xset', ['-dpms']);
  };
}

/** Names of the volume control of a sound card, the usual ones first. */
const CONTROLS = ['Master', 'PCM', 'Digital', 'HDMI', 'Headphone', 'Speaker'];

/** @param {Computer['run']} run @param {number} percent */
async function setAlsaVolume(run, percent) {
  const listed = String(await run('amixer', ['scontrols'])).matchAll(/'(.+)'/g);
  const names = new Set([...listed].map(([, name]) => name));
  const control = CONTROLS.find((name) => names.has(name)) ?? CONTROLS[0] ?? '';
  await run('amixer', ['--quiet', 'set', control, `${percent}%`]);
}

/** PipeWire if it has a sink at that moment, else ALSA. @param {Computer} computer */
function volumeOf({ isProgram, run }) {
  const setPipeWire = (/** @type {number} */ percent) =>
    run('wpctl', ['set-volume', '@DEFAULT_AUDIO_SINK@', (percent / 100).toFixed(2)]);
  const setAlsa = (/** @type {number} */ percent) => setAlsaVolume(run, percent);
  if (!isProgram('amixer')) return isProgram('wpctl') ? setPipeWire : undefined;
  if (!isProgram('wpctl')) return setAlsa;
  return async (/** @type {number} */ percent) => {
    if (!(await succeeds(setPipeWire(percent)))) await setAlsa(percent);
  };
}

/** JPEG is smaller; Debian builds `grim` without it. @param {Computer['run']} run */
const takeWaylandPicture = (run) =>
  run('grim', ['-t', 'jpeg', '-q', '60', '-']).catch(() => run('grim', ['-t', 'png', '-l', '1', '-']));

/** @param {Computer} computer */
function screenshotOf({ env, isProgram, run }) {
  if (env.WAYLAND_DISPLAY) return isProgram('grim') ? () => takeWaylandPicture(run) : undefined;
  if (!env.DISPLAY || !isProgram('import')) return undefined;
  return () => run('import', ['-silent', '-window', 'root', '-quality', '60', 'jpeg:-']);
}

/**
 * Flags that make the browser fill the main display. Without a window manager X11 has nobody who makes its window full
 * screen.
 *
 * @param {Computer} computer
 * @returns {Promise<string[]>}
 */
export async function displayFlags({ env, isProgram, run }) {
  if (env.WAYLAND_DISPLAY) return ['--ozone-platform=wayland'];
  if (!env.DISPLAY || !isProgram('xrandr')) return [];
  const outputs = String(await run('xrandr', ['--current']).catch(() => ''));
  const [, width, height, x, y] =
    / connected primary (\d+)x(\d+)\+(\d+)\+(\d+)/.exec(outputs) ??
    / connected (\d+)x(\d+)\+(\d+)\+(\d+)/.exec(outputs) ??
    [];
  if (!width) return [];
  // Chromium makes a window of exactly this size one pixel smaller.
  return [`--window-position=${x},${y}`, `--window-size=${Number(width) + 1},${Number(height) + 1}`];
}

/** The functions that this computer has programs for. @param {Computer} computer */
export const linuxActions = async (computer) => ({
  setPower: await powerOf(computer),
  setVolume: volumeOf(computer),
  setBrightness:
    computer.backlight && computer.isProgram('brightnessctl')
      ? (/** @type {number} */ percent) => computer.run('brightnessctl', ['--quiet', 'set', `${percent}%`])
      : undefined,
  takeScreenshot: screenshotOf(computer),
});
