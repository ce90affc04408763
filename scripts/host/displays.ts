/** Real servers of displays and sound that need no hardware, for tests of the host. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const PATIENCE_MS = 30_000;
const PICTURE_BYTES_MAX = 2 ** 26;
/** sway refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
export const WIDTH = 1024;
export const HEIGHT = 768;

/** A server that runs, and the variables that lead its programs to it. */
export interface Session {
  env: Record<string, string>;
  /** Runs a program in it and resolves with its output. */
  run(program: string, args: string[]): Promise<Buffer>;
  stop(): Promise<void>;
}

const XORG_CONF = `
Section "Device"
  Identifier "card"
  Driver "dummy"
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "${WIDTH}x${HEIGHT}"
  EndSubSection
EndSection
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoAddGPU" "false"
EndSection
`;
const SWAY_CONF = `
xwayland disable
output HEADLESS-1 resolution ${WIDTH}x${HEIGHT} bg #0000ff solid_color
`;
const SINK_CONF = `context.objects = [ { factory = adapter args = {
  factory.name = support.null-audio-sink node.name = loudspeaker media.class = Audio/Sink
  object.linger = true audio.position = [ FL FR ] } } ]
`;

/** A folder that everybody may use, as home and for sockets. */
function makeHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'ams-session-'));
  chmodSync(home, 0o777);
  return home;
}

/** What `attempt` answers as soon as it does not throw. */
async function until<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

function session(home: string, child: ChildProcess, env: Record<string, string>): Session {
  const ended = once(child, 'exit');
  return {
    env,
    run: async (program, args) => {
      const options = { env: { ...process.env, ...env }, maxBuffer: PICTURE_BYTES_MAX, encoding: 'buffer' } as const;
      return (await execute(program, args, options)).stdout;
    },
    stop: async () => {
      // The group: a session has children.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const start = (program: string, args: string[], env: Record<string, string>, user: object = NOBODY): ChildProcess =>
  spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true, ...user });

/** Xorg with the dummy driver, which has RANDR and no DPMS. */
export async function startXorg(): Promise<Session> {
  const home = makeHome();
  const config = path.join(home, 'xorg.conf');
  writeFileSync(config, XORG_CONF);
  const display = `:${process.pid}`;
  const log = path.join(home, 'log');
  const args = ['-noreset', '-novtswitch', '-sharevts', '-nolisten', 'tcp', '-config', config, '-logfile', log];
  const xorg = session(home, start('Xorg', [display, ...args], {}, {}), { DISPLAY: display, WAYLAND_DISPLAY: '' });
  await until(() => xorg.run('xset', ['q']));
  return xorg;
}

/** sway, a compositor of wlroots, with one output in memory. */
export async function startSway(): Promise<Session> {
  const home = makeHome();
  const config = path.join(home, 'config');
  writeFileSync(config, SWAY_CONF);
  const headless = { WLR_BACKENDS: 'headless', WLR_RENDERER: 'pixman', WLR_LIBINPUT_NO_DEVICES: '1' };
  const child = start('sway', ['-c', config], { XDG_RUNTIME_DIR: home, ...headless });
  const socket = await until(() => {
    const found = readdirSync(home).find((name) => /^wayland-\d+$/.test(name));
    if (found === undefined) throw new Error('sway has no socket');
    return found;
  });
  const sway = session(home, child, { XDG_RUNTIME_DIR: home, WAYLAND_DISPLAY: socket, DISPLAY: '' });
  await until(() => sway.run('wlr-randr', []));
  return sway;
}

/** PipeWire with a sink that plays nowhere, and a sound card of ALSA in front of it. */
export async function startSound(): Promise<Session> {
  const home = makeHome();
  const config = path.join(home, 'pipewire/pipewire.conf.d');
  mkdirSync(config, { recursive: true });
  writeFileSync(path.join(config, 'sink.conf'), SINK_CONF);
  writeFileSync(path.join(home, '.asoundrc'), 'ctl.!default { type pipewire }\n');
  const env = { HOME: home, XDG_RUNTIME_DIR: home, XDG_CONFIG_HOME: home, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const command = 'pipewire & until [ -S "$HOME/pipewire-0" ]; do sleep 0.1; done; exec wireplumber';
  const sound = session(home, start('dbus-run-session', ['--', 'sh', '-c', command], env), env);
  await until(() => sound.run('wpctl', ['set-volume', '@DEFAULT_AUDIO_SINK@', '1.00']));
  return sound;
}
