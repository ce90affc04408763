import type { Envelope } from '@ams/contract';
import { contractMessages } from '../../platform/i18n.ts';
import { toast } from '../../platform/toast.ts';
import { confirm, type ConfirmRequest } from './confirm.ts';

/** The state of a thing in which the question about it means something else. */
interface Other<S extends string> {
  load: () => Promise<Envelope<{ state: S }>>;
  state: S;
}

/**
 * `confirm` about a thing that may come into another state before the answer. Then nothing is done, which is shown, and
 * the result is false. `other` is left out where the question means the same in every state.
 */
export async function confirmLatest<S extends string>(
  { run, ...request }: ConfirmRequest & Required<Pick<ConfirmRequest, 'run'>>,
  other: Other<S> | undefined,
): Promise<boolean> {
  let isOther = false;
  const isDone = await confirm({
    ...request,
    run: async (text) => {
      const now = await other?.load();
      if (now?.error !== undefined) return false;
      isOther = now !== undefined && now.data.state === other?.state;
      return isOther || run(text);
    },
  });
  if (isOther) toast.fail(contractMessages().errors.CHANGED_MEANWHILE);
  return isDone && !isOther;
}
