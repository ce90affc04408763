import type { Deps } from '../process/deps.ts';
import { attempt } from './attempts.ts';
import type { InputOf, OutputOf } from './task.ts';
import type { AppTasks } from './tasks.ts';
import { findUnparsable } from './unparsable.ts';

/** Runs a task of the sandbox on a content; undefined if the content is not parsed (attempts.ts). */
export async function parseContent<Name extends keyof AppTasks>(
  { db, processId, sandbox }: Pick<Deps, 'db' | 'processId' | 'sandbox'>,
  task: Name,
  sha256: string,
  input: InputOf<AppTasks[Name]>,
): Promise<OutputOf<AppTasks[Name]> | undefined> {
  // Before it waits for a parser.
  if ((await findUnparsable(db, sha256)) !== undefined) return undefined;
  const attempted = await attempt({ db, processId }, { sha256, task }, (begin) =>
    sandbox.run(task, input, { beforeStart: begin }),
  );
  return attempted.kind === 'done' ? attempted.value : undefined;
}
