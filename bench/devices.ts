import { once } from 'node:events';
import { type Program, startProgram } from './processes.ts';

const A_PROCESS = 5000;

export interface Devices {
  /** When the last one was on line, in milliseconds since 1970. */
  online: Promise<number>;
  /**
   * Starts listening; resolves then to a promise of the time at which the last device received a message, of a `type` if
   * one is given.
   */
  mark(type?: string): Promise<{ told: Promise<number> }>;
  stop(): Promise<void>;
}

async function word(program: Program, key: string): Promise<number> {
  for (;;) {
    const [message] = (await once(program.child, 'message')) as [Record<string, number>];
    if (message[key] !== undefined) return message[key];
  }
}

const last = async (times: Promise<number>[]): Promise<number> => Math.max(...(await Promise.all(times)));

/** Devices 1 to `count`, spread over processes; `atOnce` of them under way at a time. */
export async function startDevices(origin: string, count: number, atOnce = 200): Promise<Devices> {
  const processes = Math.ceil(count / A_PROCESS);
  const programs = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      startProgram('bench/floor/devices.ts', {
        ORIGIN: origin,
        FIRST: String(1 + index * A_PROCESS),
        COUNT: String(Math.min(A_PROCESS, count - index * A_PROCESS)),
        AT_ONCE: String(Math.ceil(atOnce / processes)),
      }),
    ),
  );
  return {
    online: last(programs.map((program) => word(program, 'online'))),
    mark: async (type = '') => {
      const marked = programs.map((program) => word(program, 'marked'));
      for (const { child } of programs) child.send({ mark: type });
      await Promise.all(marked);
      return { told: last(programs.map((program) => word(program, 'told'))) };
    },
    stop: async () => {
      await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    },
  };
}
