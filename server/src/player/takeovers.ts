import type { Screen, ServerMessage } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import { readTakeovers } from './manifest.queries.ts';

/** The message for the devices of a takeover: the same for all of them. */
interface Push {
  devices: readonly string[];
  message: ServerMessage;
}

/**
 * Pushes of takeovers that started or ended. Devices would have to wait for their turn to request a manifest: made for
 * each of them, thousands take a minute.
 */
export async function pushesOf({ db, signer }: Pick<Deps, 'db' | 'signer'>, ids: readonly string[]): Promise<Push[]> {
  const rows = await readTakeovers(db, ids);
  return rows.map(({ id, screen, programme, files, devices }): Push => {
    if (!programme) return { devices, message: { type: 'takeoverEnded', releaseId: id } };
    const signed = files.map((file) => ({ ...file, url: signer.sign(`/media/${file.sha256}`) }));
    const on = (name: Screen) => (screen === null || screen === name ? [programme] : []);
    const screens = { main: on('main'), secondary: on('secondary') };
    return { devices, message: { type: 'takeover', screens, files: signed } };
  });
}
