import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from './devtools.mjs';
import { answerCall, hostScript, serveBrowser } from './host.mjs';
import { displayFlags, linuxActions } from './linux.mjs';

/** What programs answer, by their command line; all others answer nothing. */
type Answers = Record<string, string | Error>;

const OUTPUTS = `HDMI-A-1 "Some display"
  Enabled: yes
  Modes:
    1920x1080 px, 60.000000 Hz (preferred, current)
HDMI-A-2 "Another one"
  Enabled: yes
`;
const DPMS = 'DPMS (Energy Star):\n  Standby: 600    Suspend: 600    Off: 600\n  DPMS is Enabled\n  Monitor is On';
const NO_DPMS = 'DPMS (Energy Star):\n  Server does not have the DPMS Extension';

/** A computer with these programs, and what it ran. */
async function computer(programs: string[], env: Record<string, string>, answers: Answers = {}) {
  const ran: string[] = [];
  const actions = await linuxActions({
    env,
    backlight: true,
    isProgram: (program) => programs.includes(program),
    run: async (program, args) => {
      const line = [program, ...args].join(' ');
      ran.push(line);
      const answer = answers[line] ?? '';
      if (answer instanceof Error) throw answer;
      return Buffer.from(answer);
    },
  });
  return { ran: () => ran.splice(0), actions };
}

const X11 = { DISPLAY: ':0' };
const WAYLAND = { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' };

test('on X11 a display goes off by DPMS and stays on by itself', async () => {
  const picture = 'import -silent -window root -quality 60 jpeg:-';
  const { ran, actions } = await computer(['xset', 'import'], X11, { 'xset q': DPMS, [picture]: 'picture' });
  expect(ran()).toEqual(['xset q']);
  await actions.setPower?.(false);
  await actions.setPower?.(true);
  expect(actions.setBrightness).toBeUndefined();
  expect(actions.setVolume).toBeUndefined();
  expect((await actions.takeScreenshot?.())?.toString()).toBe('picture');
  expect(ran()).toEqual(['xset +dpms', 'xset dpms force off', 'xset dpms force on', 'xset -dpms', picture]);
});

test('a server without DPMS and a compositor that keeps its outputs leave power to the player', async () => {
  expect((await computer(['xset'], X11, { 'xset q': NO_DPMS })).actions.setPower).toBeUndefined();
  const refused = { 'wlr-randr': new Error("compositor doesn't support wlr-output-management-unstable-v1") };
  expect((await computer(['wlr-randr', 'xset'], WAYLAND, refused)).actions.setPower).toBeUndefined();
});

test('on Wayland every output goes off, and brightness is that of the backlight', async () => {
  const programs = ['wlr-randr', 'xset', 'brightnessctl'];
  const { ran, actions } = await computer(programs, WAYLAND, { 'wlr-randr': OUTPUTS });
  ran();
  await actions.setPower?.(false);
  await actions.setBrightness?.(70);
  expect(ran()).toEqual([
    'wlr-randr',
    'wlr-randr --output HDMI-A-1 --off',
    'wlr-randr --output HDMI-A-2 --off',
    'brightnessctl --quiet set 70%',
  ]);
});

test('a picture of Wayland is a JPEG, or a PNG where grim has no JPEG', async () => {
  const jpeg = 'grim -t jpeg -q 60 -';
  const png = 'grim -t png -l 1 -';
  const able = await computer(['grim'], WAYLAND, { [jpeg]: 'jpeg' });
  expect(String(await able.actions.takeScreenshot?.())).toBe('jpeg');
  const unable = await computer(['grim'], WAYLAND, { [jpeg]: new Error('jpeg support disabled'), [png]: 'png' });
  expect(String(await unable.actions.takeScreenshot?.())).toBe('png');
});

test('the volume is set by PipeWire, or by the usual control of ALSA if PipeWire has no sink', async () => {
  const both = await computer(['wpctl', 'amixer'], {});
  await both.actions.setVolume?.(5);
  expect(both.ran()).toEqual(['wpctl set-volume @DEFAULT_AUDIO_SINK@ 0.05']);
  const silent = await computer(
    ['wpctl', 'amixer'],
    {},
    {
      'wpctl set-volume @DEFAULT_AUDIO_SINK@ 0.35': new Error('Could not connect to PipeWire'),
      'amixer scontrols': "Simple mixer control 'Capture',0\nSimple mixer control 'PCM',0\n",
    },
  );
  await silent.actions.setVolume?.(35);
  expect(silent.ran().slice(1)).toEqual(['amixer scontrols', 'amixer --quiet set PCM 35%']);
});

const CONNECTED = `Screen 0: minimum 64 x 64, current 2944 x 1080, maximum 32767 x 32767
HDMI-1 connected 1024x768+1920+0 (normal left inverted right x axis y axis) 0mm x 0mm
HDMI-2 connected primary 1920x1080+0+0 (normal left inverted right x axis y axis) 0mm x 0mm
`;

test('the browser fills the main display', async () => {
  const flags = (env: Record<string, string>, programs: string[]) =>
    displayFlags({
      env,
      backlight: false,
      isProgram: (program) => programs.includes(program),
      run: async () => Buffer.from(CONNECTED),
    });
  expect(await flags(X11, ['xrandr'])).toEqual(['--window-position=0,0', '--window-size=1921,1081']);
  expect(await flags(X11, [])).toEqual([]);
  expect(await flags(WAYLAND, ['xrandr'])).toEqual(['--ozone-platform=wayland']);
});

test('a computer without these programs offers nothing but a restart', async () => {
  const { actions } = await computer([], {});
  expect(Object.values(actions).filter((action) => action !== undefined)).toEqual([]);
});

test('a page gets what it may ask for, and nothing that makes no sense', async () => {
  const picture = 'import -silent -window root -quality 60 jpeg:-';
  const programs = ['xset', 'amixer', 'import'];
  const { ran, actions } = await computer(programs, X11, { 'xset q': DPMS, [picture]: 'picture' });
  ran();
  const restart = vi.fn();
  const ask = (...message: unknown[]) => answerCall({ ...actions, restart }, JSON.stringify(message));
  for (const value of [-1, 101, 1.5, '50', null, '50; reboot']) await ask('setVolume', value);
  for (const value of [0, 'off', null]) await ask('setPower', value);
  await ask('constructor', 1);
  await ask('setBrightness', 50);
  expect(ran()).toEqual([]);
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

/** A browser with one page, which answers what it is asked until it hangs, and half a minute that passes. */
async function servedBrowser() {
  const { actions } = await computer([], {});
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  const [output, input] = [new PassThrough(), new PassThrough()];
  const kill = vi.fn();
  const browser = Object.assign(new EventEmitter(), { stdio: [null, null, null, output, input], kill });
  onTestFinished(() => {
    browser.emit('close');
    vi.useRealTimers();
  });
  let hangs = false;
  const asked: string[] = [];
  const tell = (message: object) => input.write(`${JSON.stringify(message)}\0`);
  output.on('data', (chunk: Buffer) => {
    for (const text of String(chunk).split('\0').filter(Boolean)) {
      const { id, method } = JSON.parse(text);
      asked.push(method);
      if (!hangs) void setImmediate().then(() => tell({ id, result: {} }));
    }
  });
  const address = 'https://ads.example.com/player/';
  serveBrowser(browser as unknown as ChildProcess, { address, actions, note: () => undefined });
  tell({ method: 'Target.attachedToTarget', params: { sessionId: 'a', targetInfo: { type: 'page' } } });
  // Timers are not real here.
  const until = async (condition: () => boolean) => {
    while (!condition()) await setImmediate();
  };
  await until(() => asked.includes('Page.navigate'));
  const pass = async () => {
    const before = asked.length;
    vi.advanceTimersByTime(30_000);
    await until(() => asked.length > before);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  };
  await pass();
  return { kill, pass, hang: () => void (hangs = true) };
}

test('a browser whose page hangs is ended', async () => {
  const { kill, pass, hang } = await servedBrowser();
  hang();
  await pass();
  await pass();
  expect(kill).not.toHaveBeenCalled();
  await pass();
  expect(kill).toHaveBeenCalledWith('SIGKILL');
});

test('a clock that is set does not end a browser whose page answers', async () => {
  const { kill, pass } = await servedBrowser();
  vi.setSystemTime(Date.now() + 86_400_000);
  await pass();
  expect(kill).not.toHaveBeenCalled();
});
