import { existsSync, readdirSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readConfig } from '../server/src/config.ts';
import { requireUnused } from '../server/src/platform/postgres/postgres.ts';
import { type Config, ConfigError } from '../server/src/platform/process/config.ts';
import { canRun } from '../server/src/platform/sandbox/program.ts';
import { ADMIN, PASSWORD } from './cast.ts';

/** How the demo's devices that the dealer knows pair themselves; nobody else listens to this server. */
const ENROLMENT_KEY = 'devices of the demo';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');

/** Everybody knows the passwords of the demo: others reach it only when that is wanted. Throws `ConfigError`. */
function requireLoopback({ host }: Config, isPublic: string | undefined): void {
  if (isPublic === 'on' || isLoopback(host)) return;
  throw new ConfigError(
    `Setting HOST=${host}: the passwords of the demo are public; set AMS_DEMO_PUBLIC=on to serve a network`,
  );
}

/**
 * The settings of a server that shows and never harms: no database and no bucket but its own. Throws `ConfigError`
 * for an address that others reach, unless `AMS_DEMO_PUBLIC` is on.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Config & { enrolmentKey: string } {
  const config = readDemoConfig(environment);
  requireLoopback(config, environment['AMS_DEMO_PUBLIC']);
  return config;
}

const readDemoConfig = (environment: NodeJS.ProcessEnv): Config & { enrolmentKey: string } => ({
  ...readConfig({
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('S3_'))),
    AMS_DATA: environment['AMS_DATA'] || path.join('data', 'demo'),
    DATABASE_URL: '',
    AMS_ADMIN_USERNAME: ADMIN,
    AMS_ADMIN_PASSWORD: PASSWORD,
    AMS_CAPTCHA: 'off',
    AMS_TRIAL_DAYS: '365',
    AMS_ENROLMENT_KEY: ENROLMENT_KEY,
  }),
  enrolmentKey: ENROLMENT_KEY,
});

export async function requireFfmpeg(config: Config): Promise<void> {
  if (await canRun(config.ffmpeg, ['-version'])) return;
  throw new ConfigError(
    `The demo creates its videos with ffmpeg, but ${config.ffmpeg} was not found: install it (apt-get install ffmpeg) or set AMS_FFMPEG`,
  );
}

const Marker = z.object({ demo: z.enum(['begun', 'ready']) });

const markerOf = ({ data }: Config): string => path.join(data, 'demo.json');

const mark = (config: Config, demo: 'begun' | 'ready'): Promise<void> =>
  writeFile(markerOf(config), `${JSON.stringify({ demo })}\n`);

async function isReady(config: Config): Promise<boolean> {
  return Marker.parse(JSON.parse(await readFile(markerOf(config), 'utf8'))).demo === 'ready';
}

/**
 * Whether the folder holds a demo that was set up before. An unfinished one is begun anew, unless another process is
 * setting it up (`PostgresError`); a folder with anything else in it is refused with `ConfigError`.
 */
export async function openFolder(config: Config): Promise<'ready' | 'new'> {
  const { data } = config;
  if (existsSync(markerOf(config))) {
    if (await isReady(config)) return 'ready';
    await requireUnused(data);
    await rm(data, { recursive: true, force: true });
  }
  if (existsSync(data) && readdirSync(data).length > 0) {
    throw new ConfigError('Setting AMS_DATA: the folder contains other data than the demo; use another folder');
  }
  await mkdir(data, { recursive: true });
  await mark(config, 'begun');
  return 'new';
}

/** The next start takes the demo as it is. */
export const finishFolder = (config: Config): Promise<void> => mark(config, 'ready');
