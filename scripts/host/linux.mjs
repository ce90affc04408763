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

/** The names of the outputs in the answer of `wlr-randr --json`. @param {Buffer} answer @returns {string[]} */
const outputsIn = (answer) =>
  JSON.parse(answer.toString()).map((/** @type {{ name: string }} */ output) => output.name);

/** @param {Computer} computer */
function powerOf({ env, isProgram, run }) {
  if (env.WAYLAND_DISPLAY && isProgram('wlr-randr')) {
    return async (/** @type {boolean} */ on) => {
      for (const name of outputsIn(await run('wlr-randr', ['--json']))) {
        await run('wlr-randr', ['--output', name, on ? '--on' : '--off']);
      }
    };
  }
  if (!env.DISPLAY || !isProgram('xset')) return undefined;
  return async (/** @type {boolean} */ on) => {
    if (!on) await run('xset', ['+dpms']);
    await run('xset', ['dpms', 'force', on ? 'on' : 'off']);
    // Otherwise the display would go off by itself later.
    if (on) await run('xset', ['-dpms']);
  };
}

/** @param {Computer} computer */
function volumeOf({ isProgram, run }) {
  if (isProgram('wpctl')) {
    return (/** @type {number} */ percent) =>
      run('wpctl', ['set-volume', '@DEFAULT_AUDIO_SINK@', (percent / 100).toFixed(2)]);
  }
  if (!isProgram('amixer')) return undefined;
  return (/** @type {number} */ percent) => run('amixer', ['--quiet', 'set', 'Master', `${percent}%`]);
}

/** @param {Computer} computer */
function screenshotOf({ env, isProgram, run }) {
  if (env.WAYLAND_DISPLAY && isProgram('grim')) return () => run('grim', ['-t', 'jpeg', '-q', '60', '-']);
  if (!env.DISPLAY || !isProgram('import')) return undefined;
  return () => run('import', ['-silent', '-window', 'root', '-quality', '60', 'jpeg:-']);
}

/** The functions that this computer has programs for. @param {Computer} computer */
export const linuxActions = (computer) => ({
  setPower: powerOf(computer),
  setVolume: volumeOf(computer),
  setBrightness:
    computer.backlight && computer.isProgram('brightnessctl')
      ? (/** @type {number} */ percent) => computer.run('brightnessctl', ['--quiet', 'set', `${percent}%`])
      : undefined,
  takeScreenshot: screenshotOf(computer),
});
