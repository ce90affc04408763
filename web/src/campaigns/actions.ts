import { type Campaign, type CampaignBody, CampaignConflict, type Envelope, Remark } from '@ams/contract';
import i18next from 'i18next';
import { z } from 'zod';
import {
  approveCampaign,
  bookCampaign,
  cancelCampaign,
  deleteCampaign,
  loadCampaign,
  requestCampaign,
  updateCampaign,
} from '../queries/campaigns.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { confirmLatest } from '../ui/feedback/confirmLatest.ts';
import { offerUndo, succeeded } from '../ui/feedback/outcome.ts';

const texts = () => i18next.getFixedT(null, 'campaigns');

const NoRoom = z.object({ conflicts: z.array(CampaignConflict) });

/** The screen-hours without room that a refusal names. */
export const conflictsIn = (answer: Envelope<unknown>): CampaignConflict[] =>
  answer.error === 'NO_ROOM' ? (NoRoom.safeParse(answer.details).data?.conflicts ?? []) : [];

/** These three answer the conflicts that kept them from being done; the refusal itself has been shown. */
export async function book(campaign: Campaign): Promise<CampaignConflict[]> {
  const answer = await bookCampaign(campaign);
  succeeded(answer, texts()('booked'));
  return conflictsIn(answer);
}

export async function request(campaign: Campaign): Promise<CampaignConflict[]> {
  const answer = await requestCampaign(campaign);
  if (answer.error === undefined) offerUndo(texts()('requested'), undoOf(answer.data));
  return conflictsIn(answer);
}

/** The call that makes a request the draft that it was; only those who see its devices can write it again. */
function undoOf({ devices, ...campaign }: Campaign): (() => Promise<boolean>) | undefined {
  return devices === null ? undefined : () => takeBack({ devices, ...campaign });
}

async function takeBack({ id, devices, ...campaign }: Campaign & Pick<CampaignBody, 'devices'>): Promise<boolean> {
  const { name, customerId, adIds, standing, schedule, goal, price, updatedAt } = campaign;
  const body = { name, customerId, adIds, devices, standing, schedule, goal, price, updatedAt };
  return (await updateCampaign(id, body)).error === undefined;
}

/** One press, without a question: a booking can be cancelled. */
export async function approve(campaign: Campaign): Promise<CampaignConflict[]> {
  const answer = await approveCampaign(campaign);
  succeeded(answer, texts()('approved'));
  return conflictsIn(answer);
}

/** Asks for the remark with which `reject` refuses a request: it is the confirmation as well. */
export function askToReject(
  { id, name }: { id: string; name: string },
  reject: (remark: string) => Promise<Envelope<unknown>>,
): Promise<boolean> {
  const t = texts();
  return confirm({
    title: t('rejectTitle', { name }),
    body: t('rejectBody'),
    action: t('reject'),
    danger: true,
    input: { about: id, label: t('remark'), schema: Remark, multiline: true },
    run: async (remark) => succeeded(await reject(remark), t('rejected')),
  });
}

/** Takes a request back, or cancels a booked campaign, after asking; a request that was approved meanwhile stays booked. */
export function askToCancel({ id, name, state }: Campaign): Promise<boolean> {
  const t = texts();
  const question = {
    title: t('cancelTitle', { name }),
    body: t(state === 'booked' ? 'cancelBookedBody' : 'cancelRequestBody'),
    action: t('cancelCampaign'),
    danger: true,
    run: async () => succeeded(await cancelCampaign(id), t('cancelled')),
  };
  return confirmLatest(question, state === 'requested' ? { load: () => loadCampaign(id), state: 'booked' } : undefined);
}

export function askToDelete({ id, name }: Campaign): Promise<boolean> {
  const t = texts();
  return confirm({
    title: t('deleteTitle', { name }),
    body: t('deleteBody'),
    action: i18next.t('delete'),
    danger: true,
    run: async () => succeeded(await deleteCampaign(id), i18next.t('deleted')),
  });
}
