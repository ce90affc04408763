import type { BatchAction, BatchBody, DeviceBatch, FailedDevice } from '@ams/contract';
import { batches } from '@ams/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { ApiError, callsOf } from '../../platform/api.ts';
import { storage } from '../../platform/storage.ts';
import { toast } from '../../platform/toast.ts';
import { batchCalls, manyDevicesChanged } from '../../queries/devices.ts';
import type { Named } from './useChosenDevices.ts';
import { batchTitle } from './words.ts';

const POLL_MS = 1000;
const quiet = callsOf(batches, { quiet: true });

/** A batch that is over: what it did, and what it left as it was. */
export interface Outcome {
  action: BatchAction;
  done: number;
  failed: readonly FailedDevice[];
  failedCount: number;
}

const jobQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['batches', id],
    enabled: id !== undefined,
    queryFn: async () => {
      const answer = await quiet.get({ params: { id: id ?? '' } });
      if (answer.error === undefined) return answer.data;
      // Somebody else's, or so old that it was forgotten.
      if (answer.error === 'NOT_FOUND') storage.forgetBatch();
      throw new ApiError(answer);
    },
    // No network for a while: the batch continues, and so do the polls.
    refetchInterval: ({ state }) => (state.data?.job.state === 'done' ? false : POLL_MS),
  });

const outcomeOf = (action: BatchAction, { done, failed, job }: DeviceBatch): Outcome => ({
  action,
  done,
  failed,
  failedCount: job?.failed ?? failed.length,
});

/**
 * Does it, or begins to. Answers how to show what comes of it, for when the question before it is closed; nothing
 * when the server refused.
 */
export type StartBatch = (body: BatchBody) => Promise<(() => void) | undefined>;

/** Starts batches and follows the one that takes long, over leaving the page and coming back. */
export function useBatch() {
  const [id, setId] = useState(storage.batch);
  const [small, setSmall] = useState<Outcome>();
  const { data } = useQuery(jobQuery(id));
  const job = data?.job;
  const over = job?.state === 'done';
  useEffect(() => {
    if (over) void manyDevicesChanged();
  }, [over]);

  /** `named`: what the chosen devices are called here, as far as that is known. */
  const start = async (body: BatchBody, named: ReadonlyMap<string, Named>): ReturnType<StartBatch> => {
    const answer = await batchCalls.start({ body });
    if (answer.error !== undefined) return undefined;
    void manyDevicesChanged();
    const { job: begun, done, failed } = answer.data;
    if (begun) {
      storage.setBatch(begun.id);
      return () => setId(begun.id);
    }
    if (failed.length > 0) {
      const outcome = outcomeOf(body.action, answer.data);
      const called = failed.map((device) => ({ ...named.get(device.id), ...device }));
      return () => setSmall({ ...outcome, failed: called });
    }
    return () => toast.success(`${i18next.t('stateDone')}: ${batchTitle(body.action, done)}`);
  };

  return {
    start,
    running: job && !over ? job : undefined,
    outcome: small ?? (job && over ? outcomeOf(job.action, data) : undefined),
    closeOutcome: () => {
      if (small) return setSmall(undefined);
      storage.forgetBatch();
      setId(undefined);
    },
  };
}
