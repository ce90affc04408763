import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { PostgresError } from './error.ts';

export type Lock = { held: true; release(): void } | { held: false; holder: string };

const FD_IN_CHILD = 3;

/**
 * Takes the exclusive lock on `file`, which names its holder's process.
 *
 * Node has no flock(2). The lock belongs to the open file description, though, and a child shares
 * that with us: `flock -n 3` takes it on our behalf and exits, and the kernel drops it when this
 * process ends in any way, `kill -9` included. Programs started later do not inherit the
 * descriptor (Node opens with O_CLOEXEC), so PostgreSQL left behind does not keep the lock.
 */
export function lockFile(file: string): Lock {
  const fd = openSync(file, 'a+', 0o600);
  if (!lockDescriptor(fd)) {
    closeSync(fd);
    return { held: false, holder: readFileSync(file, 'utf8').trim() };
  }
  ftruncateSync(fd);
  writeSync(fd, String(process.pid));
  let open = true;
  const release = () => {
    if (open) closeSync(fd);
    open = false;
  };
  return { held: true, release };
}

/** macOS has no flock(1), but perl. */
const LOCKERS: [command: string, args: string[]][] = [
  ['flock', ['-n', String(FD_IN_CHILD)]],
  [
    'perl',
    ['-e', `use Fcntl ":flock"; open(my $f, ">>&=", ${FD_IN_CHILD}); exit(flock($f, LOCK_EX | LOCK_NB) ? 0 : 1)`],
  ],
];

function lockDescriptor(fd: number): boolean {
  for (const [command, args] of LOCKERS) {
    const { error, status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore', fd] });
    if (!error) return status === 0;
  }
  throw new PostgresError('The program flock (util-linux) is needed to lock the data folder, or set DATABASE_URL');
}
