import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** An ffmpeg that works, but waits in its first `times` conversions, at `share` of a second of video, until it is released. */
export async function haltingFfmpeg(folder: string, name: string, share = 0.4, times = 1) {
  const program = path.join(await mkdtemp(path.join(folder, name)), 'ffmpeg');
  await writeFile(
    program,
    `#!/bin/sh
case " $* " in *" -progress "*)
  for n in $(seq ${times}); do
    if mkdir "$0.$n" 2>/dev/null; then
      echo $$ > "$0.pid.$n"
      mv "$0.pid.$n" "$0.pid"
      echo out_time_us=${share * 1e6}
      while [ ! -e "$0.go" ]; do sleep 0.05; done
      break
    fi
  done;;
esac
exec ffmpeg "$@"
`,
  );
  await chmod(program, 0o755);
  return {
    program,
    goOn: () => writeFile(`${program}.go`, ''),
    /** The process that was the last to wait; fails until there is one. */
    pid: async () => Number(await readFile(`${program}.pid`, 'utf8')),
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
