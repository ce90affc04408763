import { type Device, deviceLabel, type Envelope, type PairBody, type PairingPreview } from '@ams/contract';
import i18next from 'i18next';
import { confirm } from '../../ui/feedback/confirm.ts';
import { pairDevice, previewPairing } from '../../queries/devices.ts';

/** Pairs a device; where its MAC was paired before, only once somebody has read that. Null when it was called off. */
export async function pairKnowingly(body: PairBody): Promise<Envelope<Device | null>> {
  const preview = await previewPairing(body);
  if (preview.error !== undefined) return preview;
  if (preview.data.pairedBefore && !(await confirmReplacing(preview.data))) return { ...preview, data: null };
  return pairDevice(body);
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
