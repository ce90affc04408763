import { z } from 'zod';
import { type Answer, Order, type TaskTable } from './task.ts';

/** The implementation of each task. It returns what is wrong with a content and throws for everything else. */
export type Handlers<Table extends TaskTable> = {
  [Name in keyof Table]: (input: z.output<Table[Name]['input']>) => Promise<z.input<Table[Name]['output']>>;
};

/** Makes this process a child of a sandbox: it does one task at a time, and ends with its server. */
export function serveTasks<Table extends TaskTable>(table: Table, handlers: Handlers<Table>): void {
  const perform = <Name extends keyof Table>(name: Name, input: unknown): Promise<z.input<Table[Name]['output']>> => {
    const rule: Table[Name] = table[name];
    return handlers[name](z.parse<Table[Name]['input']>(rule.input, input));
  };

  const answer = async (message: unknown): Promise<Answer> => {
    try {
      const { task, input } = Order.parse(message);
      if (!Object.hasOwn(table, task)) throw new Error(`no task is called ${task}`);
      return { kind: 'done', output: await perform(task, input) };
    } catch (error) {
      return { kind: 'threw', message: error instanceof Error ? error.message : String(error) };
    }
  };

  process.on('message', (message) => void answer(message).then((said) => process.send?.(said)));
  process.on('disconnect', () => process.exit());
}
