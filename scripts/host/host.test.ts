import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { connect } from './devtools.mjs';
import { answerCall, hostScript } from './host.mjs';
import { linuxActions } from './linux.mjs';

/** A computer with these programs, and what it ran. */
function computer(programs: string[], env: Record<string, string>) {
  const ran: string[] = [];
  const actions = linuxActions({
    env,
    backlight: true,
    isProgram: (program) => programs.includes(program),
    run: async (program, args) => {
      ran.push([program, ...args].join(' '));
      return Buffer.from(args[0] === '--json' ? '[{"name":"HDMI-A-1"},{"name":"HDMI-A-2"}]' : 'picture');
    },
  });
  return { ran, actions };
}

test('on X11 a display goes off by DPMS and stays on by itself; ALSA sets the volume', async () => {
  const { ran, actions } = computer(['xset', 'amixer', 'import'], { DISPLAY: ':0' });
  await actions.setPower?.(false);
  await actions.setPower?.(true);
  await actions.setVolume?.(35);
  expect(actions.setBrightness).toBeUndefined();
  expect((await actions.takeScreenshot?.())?.toString()).toBe('picture');
  expect(ran).toEqual([
    'xset +dpms',
    'xset dpms force off',
    'xset dpms force on',
    'xset -dpms',
    'amixer --quiet set Master 35%',
    'import -silent -window root -quality 60 jpeg:-',
  ]);
});

test('on Wayland every output goes off; PipeWire sets the volume', async () => {
  const { ran, actions } = computer(['wlr-randr', 'xset', 'wpctl', 'amixer', 'grim', 'brightnessctl'], {
    WAYLAND_DISPLAY: 'wayland-0',
    DISPLAY: ':0',
  });
  await actions.setPower?.(false);
  await actions.setVolume?.(5);
  await actions.setBrightness?.(70);
  expect(ran).toEqual([
    'wlr-randr --json',
    'wlr-randr --output HDMI-A-1 --off',
    'wlr-randr --output HDMI-A-2 --off',
    'wpctl set-volume @DEFAULT_AUDIO_SINK@ 0.05',
    'brightnessctl --quiet set 70%',
  ]);
});

test('a computer without these programs offers nothing but a restart', () => {
  const { actions } = computer([], {});
  expect(Object.values(actions).filter((action) => action !== undefined)).toEqual([]);
});

test('a page gets what it may ask for, and nothing that makes no sense', async () => {
  const { ran, actions } = computer(['xset', 'amixer', 'import'], { DISPLAY: ':0' });
  const restart = vi.fn();
  const ask = (...message: unknown[]) => answerCall({ ...actions, restart }, JSON.stringify(message));
  for (const value of [-1, 101, 1.5, '50', null, '50; reboot']) await ask('setVolume', value);
  for (const value of [0, 'off', null]) await ask('setPower', value);
  await ask('constructor', 1);
  await ask('setBrightness', 50);
  expect(ran).toEqual([]);
  await ask('restart');
  expect(restart).toHaveBeenCalledOnce();
  expect(await ask('takeScreenshot')).toContain(Buffer.from('picture').toString('base64'));
});

test('only the player has the object', () => {
  const named = (origin: string) => {
    const window: Record<string, unknown> = {};
    const call = vi.fn();
    // The script as a page would run it.
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function('window', 'location', 'amsHostCall', hostScript('https://ads.example.com', ['setPower', 'restart']))(
      window,
      { origin },
      call,
    );
    return { host: window['AMSHost'], call };
  };
  expect(named('https://evil.example').host).toBeUndefined();
  const { host, call } = named('https://ads.example.com');
  expect(Object.keys(Object(host))).toEqual(['setPower', 'restart']);
  Reflect.get(Object(host), 'setPower')(false);
  expect(call).toHaveBeenCalledWith('["setPower",false]');
});

test('messages arrive whole, however the pipe cuts them', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const events: unknown[] = [];
  const devtools = connect(input, output, (event) => events.push(event));
  const answer = devtools.send('Target.get');
  expect(String(output.read())).toBe('{"id":1,"method":"Target.get","params":{}}\0');
  for (const piece of ['{"method":"a', '"}\0{"id":1,"res', 'ult":7}', '\0']) input.write(piece);
  expect(await answer).toEqual({ id: 1, result: 7 });
  expect(events).toEqual([{ method: 'a' }]);
});
