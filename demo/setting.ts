import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError, readConfig } from '../server/src/config.ts';
import { ffmpegAvailable } from '../server/src/files/ffmpeg.ts';
import { ADMIN, PASSWORD } from './cast.ts';

/** How the demo's machines that the dealer knows pair themselves; nobody else listens to this server. */
const ENROLMENT_KEY = 'machines of the demo';

/** The settings of a server that shows and never harms: no database and no bucket but its own. */
export const readSettings = (environment: NodeJS.ProcessEnv): Config & { enrolmentKey: string } => ({
  ...readConfig({
    LOG_LEVEL: 'warn',
    ...environment,
    AMS_DATA: environment['AMS_DATA'] || path.join('data', 'demo'),
    DATABASE_URL: '',
    S3_BUCKET: '',
    S3_ENDPOINT: '',
    AMS_ADMIN_USERNAME: ADMIN,
    AMS_ADMIN_PASSWORD: PASSWORD,
    AMS_CAPTCHA: 'off',
    AMS_TRIAL_DAYS: '365',
    AMS_ENROLMENT_KEY: ENROLMENT_KEY,
  }),
  enrolmentKey: ENROLMENT_KEY,
});

export async function requireFfmpeg(config: Config): Promise<void> {
  if (await ffmpegAvailable(config)) return;
  throw new ConfigError(
    `The demo draws its films with ffmpeg, and ${config.ffmpeg} is not here: install it (apt-get install ffmpeg) or set AMS_FFMPEG`,
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
 * Whether the folder holds a demo that was set up before. An unfinished one is begun anew; a folder with
 * anything else in it is refused with `ConfigError`.
 */
export async function openFolder(config: Config): Promise<'ready' | 'new'> {
  const { data } = config;
  if (existsSync(markerOf(config))) {
    if (await isReady(config)) return 'ready';
    await rm(data, { recursive: true, force: true });
  }
  if (existsSync(data) && readdirSync(data).length > 0) {
    throw new ConfigError(`Setting AMS_DATA=${data}: holds something that is not the demo; name another folder`);
  }
  await mkdir(data, { recursive: true });
  await mark(config, 'begun');
  return 'new';
}

/** The next start takes the demo as it is. */
export const finishFolder = (config: Config): Promise<void> => mark(config, 'ready');
