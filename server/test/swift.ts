import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

const KEY = 'ams:ams';
const SECRET = 'secret-of-tests';
const BUCKET = 'media';

/** A real S3 service on this computer: OpenStack Swift, as Debian ships it. */
export interface Swift {
  endpoint: string;
  /** Settings of a server that keeps its files there. */
  settings: Record<string, string>;
  client: S3Client;
  bucket: string;
  /** Away until `start`; what was stored stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Away for good. */
  end(): Promise<void>;
}

async function launch(folder: string, port: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const script = path.join(import.meta.dirname, 'swift/serve.py');
  // Debian's own Python has Debian's modules. It ends when its standard input does.
  const child = spawn('/usr/bin/python3', ['-B', script, folder, String(port), KEY, SECRET], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let words = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (words += text));
  while (!/ready \d+/.test(words)) {
    await Promise.race([once(child.stdout, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(`Swift did not start: exit code ${child.exitCode}`);
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { port: Number(/ready (\d+)/.exec(words)?.[1]), stop };
}

/** Starts it with an empty bucket. */
export async function startSwift(): Promise<Swift> {
  execFileSync('/usr/bin/python3', ['-c', 'import swift']);
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-swift-'));
  let running = await launch(folder, 0);
  const { port } = running;
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return {
    endpoint,
    client,
    bucket: BUCKET,
    settings: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    stop: () => running.stop(),
    start: async () => {
      running = await launch(folder, port);
    },
    end: async () => {
      client.destroy();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
