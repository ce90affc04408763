import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PostgresError } from './error.ts';

const run = promisify(execFile);

const SYSTEM_USER = 'postgres';

/** System user that runs the database. `handedOver`: this process is root and starts it as this user. */
export interface Account {
  uid: number;
  gid: number;
  handedOver: boolean;
}

/** Options for `spawn` and `execFile` that make a program run as `account`. */
export const as = (account: Account): { uid?: number; gid?: number } =>
  account.handedOver ? { uid: account.uid, gid: account.gid } : {};

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it itself; root hands it to whoever
 * owns the cluster already, and a new one to the system user `postgres`, created when missing.
 */
export async function chooseAccount(cluster: string): Promise<Account> {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined) {
    throw new PostgresError('This system needs a PostgreSQL of its own: set DATABASE_URL');
  }
  const owner = await stat(cluster).catch(() => undefined);
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new PostgresError(`The database in ${cluster} belongs to another user (number ${owner.uid})`);
    }
    return { uid, gid, handedOver: false };
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, handedOver: true };
  return { ...(await systemUser()), handedOver: true };
}

const CREATE_USER: [command: string, args: string[]][] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', SYSTEM_USER]],
  // BusyBox
  ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', SYSTEM_USER]],
];

async function systemUser(): Promise<{ uid: number; gid: number }> {
  const known = await idsOf(SYSTEM_USER);
  if (known) return known;
  for (const [command, args] of CREATE_USER) await run(command, args).catch(() => undefined);
  const created = await idsOf(SYSTEM_USER);
  if (!created)
    throw new PostgresError(`PostgreSQL does not run as root and the user ${SYSTEM_USER} cannot be created`);
  return created;
}

async function idsOf(user: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
