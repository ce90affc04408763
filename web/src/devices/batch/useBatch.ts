import type { BatchAction, BatchBody, DeviceBatch, FailedDevice } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { storage } from '../../platform/storage.ts';
import { toast } from '../../platform/toast.ts';
import { batchQuery, manyDevicesChanged, startBatch } from '../../queries/devices.ts';
import type { Named } from './useChosenDevices.ts';
import { batchTitle } from './words.ts';

/** A batch that is over: what it did, and what it left as it was. */
export interface Outcome {
  action: BatchAction;
  done: number;
  failed: readonly FailedDevice[];
  failedCount: number;
}

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
  const { data } = useQuery(batchQuery(id, storage.forgetBatch));
  const job = data?.job;
  const over = job?.state === 'done';
  useEffect(() => {
    if (over) void manyDevicesChanged();
  }, [over]);

  /** `named`: what the chosen devices are called here, as far as that is known. */
  const start = async (body: BatchBody, named: ReadonlyMap<string, Named>): ReturnType<StartBatch> => {
    const answer = await startBatch(body);
    if (answer.error !== undefined) return undefined;
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
