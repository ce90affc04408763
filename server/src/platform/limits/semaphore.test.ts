import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from './semaphore.ts';

test('never more at a time than there are turns, in the order of asking, and a failure gives its turn back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      fc.scheduler(),
      async (atOnce, fails, scheduler) => {
        const turns = new Turns(atOnce);
        const begun: number[] = [];
        let running = 0;
        const work = async (n: number): Promise<void> => {
          begun.push(n);
          running += 1;
          expect(running).toBeLessThanOrEqual(atOnce);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          if (fails[n]) throw new Error('on purpose');
        };
        const all = Promise.allSettled(fails.map((_, n) => turns.take(() => work(n))));
        await scheduler.waitFor(all);
        expect(begun).toEqual(fails.map((_, n) => n));
        expect((await all).map(({ status }) => status === 'rejected')).toEqual(fails);
      },
    ),
  );
});
