import { type Device, deviceLabel, type Envelope, type PairBody, type PairingPreview } from '@ams/contract';
import i18next from 'i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { confirm } from '../../ui/feedback/confirm.ts';
import { pairDevice, previewPairing } from '../../queries/devices.ts';

/**
 * Pairs a device; where its MAC was paired before, only after a confirmation. A device without a name needs one. Null when
 * it was called off.
 */
export async function pairKnowingly(body: PairBody): Promise<Envelope<Device | null>> {
  const preview = await previewPairing(body);
  if (preview.error !== undefined) return preview;
  if (!body.name && !preview.data.device?.name) return nameMissing();
  if (preview.data.pairedBefore && !(await confirmReplacing(preview.data))) return { ...preview, data: null };
  return pairDevice({ ...body, name: body.name || undefined });
}

/** As the server refuses a field. */
function nameMissing(): Envelope<never> {
  const { errors, rules } = contractMessages();
  const rule = 'name.required';
  const fields = [{ path: 'name', rule, message: rules[rule] }];
  return { code: 400, error: 'INVALID', message: errors.INVALID, details: { fields } };
}

function confirmReplacing({ device }: PairingPreview): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  if (!device) return confirm({ title: t('pairedBeforeTitle'), body: t('pairedBeforeBody'), action: t('pair') });
  return confirm({
    title: t('replaceTitle', { device: deviceLabel(device) }),
    body: t('replaceBody', { owner: device.owner.username }),
    action: t('replaceAction'),
    danger: true,
  });
}
