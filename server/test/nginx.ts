import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRoot, repository } from './programs.ts';

export interface Nginx {
  origin: string;
  /** Logged requests and errors so far. */
  log(): string;
  end(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });

/** The file that installations use, with these addresses. */
function siteFor(port: number, upstreams: number[], blobs: string, logs: string): string {
  return readFileSync(path.join(repository, 'docs/nginx.conf'), 'utf8')
    .replace(
      /( +server 127\.0\.0\.1:\d+ max_fails=0;\n)+/,
      upstreams.map((one) => `server 127.0.0.1:${one} max_fails=0;\n`).join(''),
    )
    .replace('listen 80 ', `listen 127.0.0.1:${port} `)
    .replaceAll('/var/log/nginx/', `${logs}/`)
    .replaceAll('/var/lib/nginx/', `${logs}/`)
    .replaceAll('/var/lib/ams/blobs/', `${blobs}/`);
}

/**
 * Runs Debian's nginx before servers on this computer, one request to each in turn.
 * @param blobs where it finds the files that it sends itself
 */
export const startNginx = (upstreams: number[], blobs = '/nowhere', port?: number): Promise<Nginx> =>
  runNginx((listening, folder) => siteFor(listening, upstreams, blobs, folder), port);

/** Runs Debian's nginx with what `siteOn` puts into its http block. */
export async function runNginx(siteOn: (port: number, folder: string) => string, port?: number): Promise<Nginx> {
  const listening = port ?? (await freePort());
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-nginx-'));
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const lines = [
    ...(isRoot ? ['user root;'] : []),
    'worker_processes 1;',
    `pid ${folder}/pid;`,
    'error_log stderr crit;',
    'events { worker_connections 10000; }',
    'http {',
    'access_log off;',
    ...kept,
    siteOn(listening, folder),
    '}',
  ];
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, lines.join('\n'));
  const child = spawn('/usr/sbin/nginx', ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  // A test that runs out of time does not end it, and its repetition needs the port.
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  while (!(await accepts(listening))) {
    if (child.exitCode !== null) throw new Error('nginx did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    origin: `http://127.0.0.1:${listening}`,
    log: () =>
      ['ams.log', 'ams-error.log']
        .map((name) => path.join(folder, name))
        .filter((each) => existsSync(each))
        .map((each) => readFileSync(each, 'utf8'))
        .join(''),
    end: async () => {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
