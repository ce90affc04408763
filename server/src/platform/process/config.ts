/** An invalid setting. The message names the setting, never its value, and is shown without a stack trace. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export interface S3Config {
  /** Undefined: Amazon's endpoint of the region. */
  endpoint: string | undefined;
  /** Address at which devices and browsers reach it, if it differs. */
  publicEndpoint: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  pathStyle: boolean;
}

/** The settings of one server process, as `readConfig` (server/src/config.ts) reads them from the environment. */
export interface Config {
  port: number;
  host: string;
  /** Address that people and devices use, without a trailing slash. Undefined: taken from each request. */
  publicUrl: string | undefined;
  databaseUrl: string | undefined;
  /** Absolute path of the folder with database, blobs and unfinished uploads. */
  data: string;
  admin: { username: string; password: string | undefined };
  captcha: boolean;
  selfRegister: boolean;
  enrolmentKey: string | undefined;
  trialDays: number;
  /** Download limit of one device in bytes per second; undefined: no limit. */
  playerBandwidth: number | undefined;
  ffmpeg: string;
  upload: { maxFiles: number; maxImageBytes: number; maxVideoBytes: number; maxAppBytes: number };
  /** Default storage quota of an account in bytes; 0: no limit. */
  quotaBytes: number;
  /** Reverse proxies whose `X-Forwarded-…` headers are trusted; empty: none. */
  trustedProxies: string[];
  /** Internal location at which nginx serves the blobs; undefined: this server sends them. */
  accelRedirect: string | undefined;
  /** Disk space that uploads keep free for the database, in bytes. */
  diskReserveBytes: number;
  /** Size in bytes of a file that is deleted when the disk of the embedded database is full; 0: none. */
  ballastBytes: number;
  /** Undefined: files are stored on the disk. */
  s3: S3Config | undefined;
  /** Maximum calls per minute of an account at one server process; 0: no limit. */
  callsPerMinute: number;
  /** Sockets that share the port (platform/http/listeners.ts). */
  listeningSockets: number;
  /** Whether polls without news are answered before Fastify handles them (player/polls.ts). */
  fastPolls: boolean;
  /** Days for which single plays are kept as reported. */
  playsDays: number;
  /** Months for which play reports are kept. */
  reportMonths: number;
  /** Mail server and sender address; undefined: no e-mail is sent. */
  mail: { url: string; from: string } | undefined;
  /** Whether webhooks may go to addresses inside the network. */
  internalWebhooks: boolean;
  /** Address for reports of vulnerabilities (`mailto:`, `https:` or `tel:`); undefined: the app's own address. */
  securityContact: string | undefined;
  metricsOpen: boolean;
  logLevel: string;
  /** Built web app and player; absent folders are not served. */
  webRoot: string;
  playerRoot: string;
}
