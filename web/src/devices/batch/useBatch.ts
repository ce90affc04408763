import type { BatchAction, BatchBody, DeviceBatch, FailedDevice } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { storage } from '../../platform/storage.ts';
import { toast } from '../../platform/toast.ts';
import { batchQuery, manyDevicesChanged, startBatch, undoBatch } from '../../queries/devices.ts';
import { isLeft } from './batchOfOne.ts';
import type { Named } from './useChosenDevices.ts';
import { batchTitle } from './words.ts';

/** A batch that is over: what it did, and what it left as it was. */
export interface Outcome {
  action: BatchAction;
  /** With it, the batch can be undone. */
  undo?: string | undefined;
  done: number;
  failed: readonly FailedDevice[];
  failedCount: number;
}

const outcomeOf = (action: BatchAction, { done, failed, job, undo }: DeviceBatch): Outcome => ({
  action,
  undo,
  done,
  failed,
  failedCount: job?.failed ?? failed.length,
});

/**
 * Does it, or begins to. Answers how to show what comes of it, for when the question before it is closed; nothing
 * when the server refused, and `changed` when it refused because the devices are more than expected.
 */
export type StartBatch = (body: BatchBody) => Promise<(() => void) | 'changed' | undefined>;

/** Starts batches and follows the one that takes long, over leaving the page and coming back. */
export function useBatch() {
  const [id, setId] = useState(storage.batch);
  const [small, setSmall] = useState<Outcome>();
  const { data } = useQuery(batchQuery(id, storage.forgetBatch));
  // `undo` is the id of the batch.
  const { data: smallNow } = useQuery(batchQuery(small?.undo, () => undefined));
  const job = data?.job;
  const over = job?.state === 'done';
  // Undo is offered for longer than a person may stay on the page.
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  useEffect(() => {
    if (over) void manyDevicesChanged();
  }, [over]);

  /** How to show what comes of a batch, whose job is followed. */
  const shownBy = (action: BatchAction, answer: DeviceBatch, named: ReadonlyMap<string, Named>): (() => void) => {
    const { job: begun, done, failed, undo } = answer;
    if (begun) {
      storage.setBatch(begun.id);
      return () => setId(begun.id);
    }
    if (failed.length > 0) {
      const outcome = outcomeOf(action, answer);
      const called = failed.map((device) => ({ ...named.get(device.id), ...device }));
      return () => (isShown.current ? setSmall({ ...outcome, failed: called }) : void isLeft(answer));
    }
    const text = i18next.t('doneWith', { what: batchTitle(action, done) });
    if (undo === undefined) return () => toast.success(text);
    return () => toast.offerUndo(text, () => void takeBack(undo, named));
  };

  const takeBack = async (undo: string, named: ReadonlyMap<string, Named>) => {
    const answer = await undoBatch(undo);
    if (answer.error === undefined) shownBy('undo', answer.data, named)();
  };

  /** `named`: what the chosen devices are called here, as far as that is known. */
  const start = async (body: BatchBody, named: ReadonlyMap<string, Named>): ReturnType<StartBatch> => {
    const answer = await startBatch(body);
    if (answer.error === undefined) return shownBy(body.action, answer.data, named);
    return answer.error === 'CHANGED_MEANWHILE' ? 'changed' : undefined;
  };

  const close = () => {
    if (small) return setSmall(undefined);
    storage.forgetBatch();
    setId(undefined);
  };

  return {
    start,
    running: job && !over ? job : undefined,
    outcome: small
      ? { ...small, undo: (smallNow ?? small).undo }
      : job && over
        ? outcomeOf(job.action, data)
        : undefined,
    /** Undoes the batch whose outcome is shown. */
    undo: (undo: string) => {
      close();
      void takeBack(undo, new Map());
    },
    closeOutcome: close,
  };
}
