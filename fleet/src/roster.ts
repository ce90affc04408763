import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { localMac } from '@ams/contract';
import { UsageError } from './options.ts';

/** Identity of a simulated device. `number` counts from 1. */
export interface Member {
  number: number;
  mac: string;
  secret: string;
}

/** Content of the state file: the secrets of the devices, ordered by number. */
interface Kept {
  secrets: string[];
}

const SECRET_BYTES = 32;

/** The MAC of device `number`: always the same one, locally administered, `02:f1:ee:00:00:01` the first. */
export const macOf = (number: number): string =>
  localMac(Uint8Array.of(0x02, 0xf1, 0xee, number >> 16, (number >> 8) & 0xff, number & 0xff));

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'secrets' in value &&
  Array.isArray(value.secrets) &&
  value.secrets.every((secret) => typeof secret === 'string' && /^[0-9a-f]{64}$/.test(secret));

async function read(file: string): Promise<Kept> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isKept(kept)) return kept;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { secrets: [] };
    if (!(error instanceof SyntaxError)) throw unusable(file, error);
  }
  throw new UsageError(`${file} does not hold a fleet; give another --state, or delete it to begin a new fleet`);
}

const unusable = (file: string, error: unknown): UsageError =>
  new UsageError(`cannot use ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });

/** Whole or not at all, and for nobody else's eyes: the secrets are what devices prove themselves with. */
async function write(file: string, kept: Kept): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}.tmp`;
    await writeFile(draft, `${JSON.stringify(kept, undefined, 1)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    throw unusable(file, error);
  }
}

/** `count` devices of the fleet in `file`, from number `first` on; missing ones are made and kept. Throws `UsageError`. */
export async function openRoster(file: string, count: number, first = 1): Promise<Member[]> {
  const { secrets } = await read(file);
  if (secrets.length < count) {
    while (secrets.length < count) secrets.push(randomBytes(SECRET_BYTES).toString('hex'));
    await write(file, { secrets });
  }
  return secrets.slice(0, count).map((secret, index) => {
    const number = first + index;
    return { number, mac: macOf(number), secret };
  });
}
