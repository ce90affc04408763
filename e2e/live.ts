import { randomBytes } from 'node:crypto';
import type { Device } from '@ams/contract';
import { pairScreen } from './kiosk.ts';
import type { Browser } from './stories.ts';
import { DESK, newPhone } from './phone.ts';
import { dataOf, type RealServer } from './server.ts';

/** A device that says what a test tells it to. */
export interface Speaker {
  device: Device;
  secret: string;
  /** Opens its channel. */
  connect: () => Promise<WebSocket>;
}

/** A new device: its token, and the pairing code that it shows. */
export async function enrolDevice(server: RealServer, mac: string): Promise<{ secret: string; code: string }> {
  const secret = randomBytes(32).toString('base64url');
  const reply = await fetch(`${server.origin}/api/player/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'authorization': `Bearer ${secret}` },
    body: JSON.stringify({ mac, player: { version: '1.0.0', kind: 'test' } }),
  });
  const { data }: { data: { code: string } } = await reply.json();
  return { secret, code: data.code };
}

export async function pairSpeaker(server: RealServer, mac: string): Promise<Speaker> {
  const { secret, code } = await enrolDevice(server, mac);
  const device = dataOf(await server.calls.devices.pair({ body: { mac, code, name: 'Lobby' } }));
  const connect = async (): Promise<WebSocket> => {
    const opened = new WebSocket(`${server.origin.replace('http', 'ws')}/api/player/socket`, ['ams', secret]);
    await new Promise((resolve) => opened.addEventListener('open', resolve, { once: true }));
    return opened;
  };
  return { device, secret, connect };
}

/** A real player in a browser, paired. */
export async function pairPlayer(server: RealServer, browser: Browser, mac: string) {
  const kiosk = await newPhone(browser, server, { ...DESK, viewport: { width: 640, height: 360 } });
  const screen = await kiosk.newPage();
  return { kiosk, screen, paired: await pairScreen(server, screen, { mac }) };
}

/** Releases a picture of one colour as an ad of that name. */
export async function releasePicture(
  server: RealServer,
  name: string,
  colour: string,
  deviceId: string,
  { replace, seconds }: { replace: boolean; seconds?: number },
) {
  const file = await server.addFile(`${colour}.png`, `color=${colour}:size=640x360`, {
    orientation: 'horizontal',
    kind: 1,
  });
  const body = {
    name,
    orientation: 'horizontal' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: file.id, ...(seconds !== undefined && { seconds }) }] },
  };
  const ad = dataOf(await server.calls.ads.create({ body }));
  const devices = { ids: [deviceId] };
  dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices, replace } }));
  return file;
}
