import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { APP_MAX_BYTES, UPLOAD_LIMITS } from '@ams/contract';
import { z } from 'zod';
import { type Config, ConfigError, type S3Config } from './platform/process/config.ts';

const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be on or off')
    .default(fallback)
    .transform((value) => value === 'on');

const whole = (fallback: number, min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be a whole number from ${min} to ${max}`)
    .max(max, `must be a whole number from ${min} to ${max}`)
    .default(fallback);

/** Addresses are displayed and logged, so they must not contain a password. */
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), 'must not contain a user or a password')
  .refine((url) => !/[?#\s]/.test(url), 'must not contain a query, a fragment or spaces');

/** Names that Fastify's `trustProxy` accepts besides addresses and ranges. */
const PROXY_WORDS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isProxy(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0) return PROXY_WORDS.has(entry);
  return (
    rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

const Environment = z.object({
  PORT: whole(3000, 0, 65_535),
  HOST: z.string().min(1, 'must be an address').default('127.0.0.1'),
  PUBLIC_URL: httpUrl.transform((url) => new URL(url).href.replace(/\/+$/, '')).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  AMS_DATA: z.string().min(1, 'must be a folder').default('data'),
  AMS_ADMIN_USERNAME: z
    .string()
    .regex(/^[A-Za-z0-9]{4,20}$/, 'must be 4 to 20 letters and digits')
    .default('admin'),
  AMS_ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have 8 to 72 characters')
    .max(72, 'must have 8 to 72 characters')
    .optional(),
  AMS_CAPTCHA: onOff('on'),
  AMS_SELF_REGISTER: onOff('on'),
  AMS_ENROLMENT_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  AMS_TRIAL_DAYS: whole(30, 0, 3650),
  AMS_PLAYER_BANDWIDTH: whole(0, 0, 10_000_000),
  AMS_FFMPEG: z.string().min(1, 'must be a path').default('ffmpeg'),
  AMS_MAX_FILES: whole(UPLOAD_LIMITS.maxFiles, 1, 100),
  AMS_MAX_IMAGE_MB: whole(UPLOAD_LIMITS.maxImageBytes / 2 ** 20, 1, 1000),
  AMS_MAX_VIDEO_MB: whole(UPLOAD_LIMITS.maxVideoBytes / 2 ** 20, 1, 1_000_000),
  AMS_MAX_APP_MB: whole(APP_MAX_BYTES / 2 ** 20, 1, 10_000),
  AMS_QUOTA_MB: whole(0, 0, 1_000_000_000),
  AMS_TRUST_PROXY: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .refine((list) => list.every(isProxy), 'must be addresses or ranges such as 127.0.0.1, 10.0.0.0/8 or loopback')
    .optional(),
  AMS_CALLS_PER_MINUTE: whole(30_000, 0, 10_000_000),
  AMS_LISTENING_SOCKETS: whole(16, 1, 64),
  AMS_FAST_POLLS: onOff('on'),
  AMS_PLAYS_DAYS: whole(7, 1, 3650),
  AMS_REPORT_MONTHS: whole(24, 1, 240),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  SMTP_FROM: z.string().includes('@', { error: 'must be an e-mail address' }).optional(),
  AMS_WEBHOOKS: z.enum(['public', 'internal'], 'must be public or internal').default('public'),
  AMS_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)\S+$/, 'must begin with mailto:, https:// or tel:')
    .optional(),
  AMS_METRICS: z.enum(['loopback', 'open'], 'must be loopback or open').default('loopback'),
  AMS_ACCEL_REDIRECT: z
    .string()
    .regex(/^\/([^?#\s]*\/)?$/, 'must be a path that begins and ends with a slash')
    .optional(),
  AMS_DISK_RESERVE_MB: whole(256, 0, 1_000_000),
  AMS_BALLAST_MB: whole(64, 0, 100_000),
  S3_ENDPOINT: httpUrl.optional(),
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z.string().min(1, 'must be a region').default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: z.enum(['on', 'off'], 'must be on or off').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level such as info')
    .default('info'),
});

/** The names of all settings. */
export const SETTINGS = Object.keys(Environment.shape);

/** Settings of the demo and of tests. */
const OF_OTHERS = /^AMS_(DEMO|TEST)_/;

/** Variables that are named like settings and are none. They stop no start: an earlier version may be rolled back to. */
export const unknownSettings = (environment: NodeJS.ProcessEnv): string[] =>
  Object.keys(environment).filter(
    (name) => name.startsWith('AMS_') && !OF_OTHERS.test(name) && !SETTINGS.includes(name),
  );

/** Default sender of e-mails; many mail servers require their own address in `SMTP_FROM`. */
const SENDER = 'Advertising Management System <no-reply@localhost>';

const repository = path.resolve(import.meta.dirname, '../..');

/** Settings that mean nothing without a bucket. */
const OF_BUCKET = ['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function readS3(env: z.output<typeof Environment>): S3Config | undefined {
  if (env.S3_BUCKET === undefined) {
    const given = OF_BUCKET.find((name) => env[name] !== undefined);
    // Files would be stored on the disk, and those in the bucket be missing.
    if (given) throw new ConfigError(`Setting S3_BUCKET: is required with ${given}`);
    return undefined;
  }
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_ENDPOINT: endpoint } = env;
  if (accessKeyId === undefined) throw new ConfigError('Setting S3_ACCESS_KEY_ID: is required with S3_BUCKET');
  if (secretAccessKey === undefined) throw new ConfigError('Setting S3_SECRET_ACCESS_KEY: is required with S3_BUCKET');
  return {
    endpoint,
    publicEndpoint: env.S3_PUBLIC_ENDPOINT,
    bucket: env.S3_BUCKET,
    region: env.S3_REGION,
    accessKeyId,
    secretAccessKey,
    // S3 services other than Amazon's rarely have a host name per bucket.
    pathStyle: env.S3_PATH_STYLE === undefined ? endpoint !== undefined : env.S3_PATH_STYLE === 'on',
  };
}

/** Reads all settings once. A variable that is empty, or of spaces, counts as unset. Throws `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new ConfigError(`Setting ${name}: ${issue?.message}`);
  }
  const env = parsed.data;
  const data = path.resolve(env.AMS_DATA);
  if (existsSync(path.join(repository, 'server')) && data === repository) {
    throw new ConfigError('Setting AMS_DATA: must be a folder other than the repository');
  }
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    databaseUrl: env.DATABASE_URL,
    data,
    admin: { username: env.AMS_ADMIN_USERNAME, password: env.AMS_ADMIN_PASSWORD },
    captcha: env.AMS_CAPTCHA,
    selfRegister: env.AMS_SELF_REGISTER,
    enrolmentKey: env.AMS_ENROLMENT_KEY,
    trialDays: env.AMS_TRIAL_DAYS,
    playerBandwidth: env.AMS_PLAYER_BANDWIDTH === 0 ? undefined : env.AMS_PLAYER_BANDWIDTH * 1000,
    ffmpeg: env.AMS_FFMPEG,
    upload: {
      maxFiles: env.AMS_MAX_FILES,
      maxImageBytes: env.AMS_MAX_IMAGE_MB * 2 ** 20,
      maxVideoBytes: env.AMS_MAX_VIDEO_MB * 2 ** 20,
      maxAppBytes: env.AMS_MAX_APP_MB * 2 ** 20,
    },
    quotaBytes: env.AMS_QUOTA_MB * 2 ** 20,
    trustedProxies: env.AMS_TRUST_PROXY ?? [],
    accelRedirect: env.AMS_ACCEL_REDIRECT,
    diskReserveBytes: env.AMS_DISK_RESERVE_MB * 2 ** 20,
    ballastBytes: env.DATABASE_URL === undefined ? env.AMS_BALLAST_MB * 2 ** 20 : 0,
    s3: readS3(env),
    callsPerMinute: env.AMS_CALLS_PER_MINUTE,
    listeningSockets: env.AMS_LISTENING_SOCKETS,
    fastPolls: env.AMS_FAST_POLLS,
    playsDays: env.AMS_PLAYS_DAYS,
    reportMonths: env.AMS_REPORT_MONTHS,
    mail: env.SMTP_URL === undefined ? undefined : { url: env.SMTP_URL, from: env.SMTP_FROM ?? SENDER },
    internalWebhooks: env.AMS_WEBHOOKS === 'internal',
    securityContact: env.AMS_SECURITY_CONTACT,
    metricsOpen: env.AMS_METRICS === 'open',
    logLevel: env.LOG_LEVEL,
    webRoot: path.join(repository, 'web/dist'),
    playerRoot: path.join(repository, 'player/dist'),
  };
}
