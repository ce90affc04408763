import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Account } from './account.ts';
import { PostgresError } from './error.ts';

/** Names the socket file only: every cluster has a folder of its own for it. */
export const SOCKET_PORT = 5432;

/** `sun_path` of unix(7) holds 108 bytes with the closing zero; macOS has 104. */
const LONGEST_SOCKET = 103;
const PRIVATE = 0o700;

export interface SocketFolder {
  /** The address that clients use. */
  host: string;
  /** Options of PostgreSQL; it works in its cluster's folder. */
  setting: string;
  remove(): Promise<void>;
}

/** The socket lies in the cluster's own folder, or in a short private one when that path is too long. */
export async function socketFolder(cluster: string, account: Account): Promise<SocketFolder> {
  const host = socketHost(cluster);
  if (host === cluster) return { host, setting: '.', remove: async () => {} };
  await makePrivate(host, account);
  return { host, setting: host, remove: () => rm(host, { recursive: true, force: true }) };
}

/** The address that clients of a cluster use. */
export function socketHost(cluster: string): string {
  if (fits(cluster)) return cluster;
  const name = `ams-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  return path.join(fits(path.join(tmpdir(), name)) ? tmpdir() : '/tmp', name);
}

const fits = (folder: string): boolean => Buffer.byteLength(`${folder}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET;

/**
 * Made anew, without what a killed PostgreSQL has left. In a folder where everybody may write, the
 * name may have been taken by somebody else.
 */
async function makePrivate(folder: string, account: Account): Promise<void> {
  const made = await rm(folder, { recursive: true, force: true })
    .then(() => mkdir(folder, { mode: PRIVATE }))
    .then(
      () => true,
      () => false,
    );
  if (made && account.handedOver) await chown(folder, account.uid, account.gid);
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== account.uid || (found.mode & 0o777) !== PRIVATE) {
    throw new PostgresError(`${folder} is not private to the database: remove it, or choose a shorter AMS_DATA`);
  }
}
