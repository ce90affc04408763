import { check, type Model, nextStep, oneOf, type StepName, stepsOf } from './approval-model.ts';
import { contentsOf, type World, worldBefore } from './approval-world.ts';
import { randomOf } from './filter-model.ts';
import type { Undoable } from './undoable.ts';

/** What people do, each in the ways that it can be done. */
const OPERATIONS: Record<string, readonly StepName[]> = {
  request: ['request', 'order', 'order', 'release', 'updateDevices'],
  edit: ['editAd', 'editAd', 'editAd', 'edit'],
  approve: ['approve', 'approve', 'approve', 'approveRelease', 'approveRelease', 'approveWhileEditing', 'approveOwn'],
  revoke: ['revoke', 'revokeReleases', 'reject', 'rejectRelease', 'disable'],
  reassign: ['reassign'],
  delete: ['deleteAd', 'deleteFile', 'delete', 'deleteGroup', 'deleteCustomer'],
};

/** Steps by chance before the orders begin. */
const BEGINNING_MAX = 16;

/** One moment: the world and the model, of which each branch gets copies. */
interface Moment {
  world: World;
  model: Model;
  told: string[];
}

/** The sequences that were tried, the longest, and how many ended with something approved on a device. */
export interface Walked {
  sequences: number;
  longest: number;
  shown: number;
}

/** Copies what steps change; an ad is the same in all that refer to it. */
function copied({ world, model, told }: Moment): Moment {
  const { files, ads, campaigns, releases } = structuredClone({ files: world.files, ads: world.ads, ...model });
  return { world: { ...world, files, ads }, model: { campaigns, releases }, told: [...told] };
}

/**
 * A beginning of up to 16 steps by chance, and from there every order of up to `depth` of the six operations: each is a
 * sequence. Sequences share the steps that they begin with, which are undone up to where the next one differs. After
 * each step the manifests of all devices have nothing but what is approved at that moment.
 */
export async function walkOrders(undoable: Undoable, of: World, seed: number, depth: number): Promise<Walked> {
  const random = randomOf(seed);
  const walked: Walked = { sequences: 0, longest: 0, shown: 0 };
  const ids = of.devices.map(({ device }) => device.id);

  /** Whether something is on a device after this step. */
  const step = async ({ world, model, told }: Moment, name: StepName): Promise<boolean> => {
    told.push(name);
    const where = `seed ${seed}: ${told.join(' ')}`;
    try {
      await stepsOf(world, model, random)[name]();
    } catch (error) {
      throw new Error(where, { cause: error });
    }
    return check(contentsOf(await undoable.manifestsOf(ids)), model, where);
  };

  const branch = async (moment: Moment, left: number): Promise<void> => {
    if (left === 0) return;
    for (const ways of Object.values(OPERATIONS)) {
      await undoable.undoing(async () => {
        const next = copied(moment);
        if (await step(next, oneOf(ways, random))) walked.shown += 1;
        walked.sequences += 1;
        walked.longest = Math.max(walked.longest, next.told.length);
        await branch(next, left - 1);
      });
    }
  };

  await undoable.undoing(async () => {
    const begun = copied({ world: worldBefore(undoable, of), model: { campaigns: [], releases: [] }, told: [] });
    await step(begun, 'create');
    for (let left = Math.floor(random() * BEGINNING_MAX); left > 0; left -= 1) {
      await step(begun, nextStep(stepsOf(begun.world, begun.model, random), random));
    }
    await branch(begun, depth);
  });
  return walked;
}
