import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { HEIGHT, type Session, startSound, startSway, startXorg, WIDTH } from './displays.ts';
import { linuxActions } from './linux.mjs';

const isProgram = (program: string): boolean => {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
};

/** A session until the test ends, and what the host can do in it. */
async function hosted(starting: Promise<Session>) {
  const session = await starting;
  onTestFinished(() => session.stop());
  const { env, run } = session;
  return { ...session, actions: await linuxActions({ env, isProgram, backlight: false, run }) };
}

/** The colour of its first point. */
async function decoded(picture: Buffer | undefined) {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, colour: [...data.subarray(0, 3)].map((part) => part > 127) };
}

test('Xorg: the picture is that of the screen; a driver without DPMS leaves power to the player', async () => {
  const { actions, run } = await hosted(startXorg());
  expect(actions.setPower).toBeUndefined();
  await run('xsetroot', ['-solid', '#ff0000']);
  const picture = await decoded(await actions.takeScreenshot?.());
  expect(picture).toEqual({ width: WIDTH, height: HEIGHT, colour: [true, false, false] });
});

test('sway: power is offered, and the picture is that of the screen', async () => {
  const { actions } = await hosted(startSway());
  expect(actions.setPower).toBeDefined();
  const picture = await decoded(await actions.takeScreenshot?.());
  expect(picture).toMatchObject({ width: WIDTH, height: HEIGHT });
});

test('PipeWire: the volume of its sink is set; without wpctl by ALSA', async () => {
  const { actions, env, run } = await hosted(startSound());
  const volume = async () => String(await run('wpctl', ['get-volume', '@DEFAULT_AUDIO_SINK@'])).trim();
  await actions.setVolume?.(35);
  expect(await volume()).toBe('Volume: 0.35');

  const alsa = await linuxActions({ env, backlight: false, run, isProgram: (program) => program === 'amixer' });
  await alsa.setVolume?.(20);
  expect(await volume()).toBe('Volume: 0.20');
});
