import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Faults } from './faults.ts';

/** A mistake in the options. Only its message is shown. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Credentials {
  username: string;
  password: string;
}

export interface Options {
  devices: number;
  /** Number of the first one: several fleets of one server have none in common. */
  first: number;
  /** `http://localhost:3000` */
  server: string;
  /** Account that pairs the devices by their codes. */
  operator: Credentials | undefined;
  enrolmentKey: string | undefined;
  /** Files stay on disk; otherwise they are hashed and thrown away. */
  keep: boolean;
  /** File with the devices' secrets, so that the next start uses the same fleet. */
  stateFile: string;
  /** Of every device. */
  faults: Faults;
}

export const DEVICES_MAX = 5000;
/** A MAC has room for so many. */
const NUMBER_MAX = 2 ** 24 - 1 - DEVICES_MAX;
const DAY_SECONDS = 86_400;

export const USAGE = `npm run fleet -- [options]
  --devices <1-${DEVICES_MAX}>    number of devices (10)
  --first <number>       number of the first device (1); several fleets need different numbers and --state files
  --server <address>     address of the server (http://localhost:3000)
  --user, --password     operator account that pairs the devices (the server needs AMS_CAPTCHA=off)
  --key <enrolment key>  devices whose MACs were added pair themselves
  --keep                 keep downloaded files on disk beside the state file
  --state <file>         identities of the devices (fleet.json in AMS_DATA, or in ./data)
  --flap <seconds>       drop each connection about this often
  --slow <bytes/s>       limit the download speed of each device
  --corrupt <percent>    corrupt one byte in this percentage of downloads
  --diskfull <megabytes> limit the disk of each device; the player keeps 16 MB of it free
  --clock-skew <seconds> set each clock wrong by this: ahead on one device, behind on the next
`;

const FLAGS = {
  'devices': { type: 'string', default: '10' },
  'first': { type: 'string', default: '1' },
  'server': { type: 'string', default: 'http://localhost:3000' },
  'user': { type: 'string' },
  'password': { type: 'string' },
  'key': { type: 'string' },
  'keep': { type: 'boolean', default: false },
  'state': { type: 'string' },
  'flap': { type: 'string' },
  'slow': { type: 'string' },
  'corrupt': { type: 'string' },
  'diskfull': { type: 'string' },
  'clock-skew': { type: 'string' },
  'help': { type: 'boolean', default: false },
} as const;

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    // The parser adds advice about positional arguments, of which there are none here.
    const [first] = String(error instanceof Error ? error.message : error).split(/\.(?=\s)|\n/);
    throw new UsageError(`${first}; npm run fleet -- --help says what there is`, { cause: error });
  }
}

function between(flag: string, text: string, min: number, max: number, isWhole: boolean): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
  const kind = isWhole ? 'a whole number' : 'a number';
  throw new UsageError(`--${flag} must be ${kind} from ${min} to ${max}, not "${text}"`);
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/') return url.origin;
  throw new UsageError(`--server must be an address like http://localhost:3000, not "${text}"`);
}

function credentialsOf(username: string | undefined, password: string | undefined): Credentials | undefined {
  if (username && password) return { username, password };
  if (username || password) throw new UsageError('--user and --password go together');
  return undefined;
}

/** `undefined` for a flag that was not given; else its number times `unit`. */
function scaled(flag: string, text: string | undefined, max: number, unit: number, min = 0): number | undefined {
  return text === undefined ? undefined : between(flag, text, min, max, false) * unit;
}

const faultsOf = (flags: ReturnType<typeof parseFlags>): Faults => ({
  flapMs: scaled('flap', flags.flap, DAY_SECONDS, 1000, 0.1),
  slowBytes: flags.slow === undefined ? undefined : between('slow', flags.slow, 1, 2 ** 40, true),
  corruptPercent: scaled('corrupt', flags.corrupt, 100, 1),
  diskBytes: scaled('diskfull', flags.diskfull, 2 ** 20, 2 ** 20),
  clockSkewMs: scaled('clock-skew', flags['clock-skew'], 100 * 365 * DAY_SECONDS, 1000),
});

/** Reads the command line. Throws `UsageError`. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  const flags = parseFlags(args);
  if (flags.help) return 'help';
  return {
    devices: between('devices', flags.devices, 1, DEVICES_MAX, true),
    first: between('first', flags.first, 1, NUMBER_MAX, true),
    server: originOf(flags.server),
    operator: credentialsOf(flags.user, flags.password),
    enrolmentKey: flags.key,
    keep: flags.keep,
    stateFile: flags.state ?? path.join(environment['AMS_DATA'] || 'data', 'fleet.json'),
    faults: faultsOf(flags),
  };
}
