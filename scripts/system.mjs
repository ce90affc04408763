/** Programs and fonts that the tests need from the system. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run, Stop } from './process.mjs';

/** An S3 service and a web server, as an installation of several server processes has them. */
const SERVICES = ['nginx-light', 'swift-account', 'swift-container', 'swift-object', 'swift-proxy'];
/** Displays and sound without hardware, and the programs that `npm run kiosk` controls them with. */
const DISPLAYS = [
  'alsa-utils',
  'dbus-daemon',
  'grim',
  'imagemagick',
  'pipewire',
  'pipewire-alsa',
  'sway',
  'wireplumber',
  'wlr-randr',
  'x11-xserver-utils',
  'xserver-xorg-core',
  'xserver-xorg-video-dummy',
];
const PACKAGES = [
  'chromium',
  'chromium-headless-shell',
  'faketime',
  'ffmpeg',
  'fonts-noto-cjk',
  'fonts-noto-core',
  'prometheus',
  'zbar-tools',
  ...DISPLAYS,
  ...SERVICES,
];

/** A compiler for the library of `npm run test:clocks`. */
export const CLOCK_PACKAGES = ['gcc', 'libc6-dev'];

/** Browsers of `npm run e2e:browsers`; H.264 and a display for WebKitGTK. */
export const BROWSER_PACKAGES = ['firefox-esr', 'gstreamer1.0-libav', 'webkit2gtk-driver', 'xvfb'];

/**
 * On Debian as root, installs missing packages; elsewhere lists them.
 *
 * @param {string[]} others packages besides those of `npm test`
 */
export async function prepareSystem(others = []) {
  const packages = [...PACKAGES, ...others];
  const missing = existsSync('/usr/bin/dpkg-query') ? packages.filter((name) => !isInstalled(name)) : missingPrograms();
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Stop(`The tests need these packages; please install them: ${missing.join(' ')}`);
  }
  console.log(`Installing ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
  ]) {
    const { code, output } = await run('apt-get', args, { quiet: true, env });
    if (code !== 0)
      throw new Stop(`${output.trimEnd()}\n${missing.join(' ')} cannot be installed: see the lines above`);
  }
}

/** @param {string} name */
const isInstalled = (name) =>
  spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' }).stdout.endsWith('ok installed');

/** Another system: programs can be detected, fonts cannot. */
const missingPrograms = () =>
  [
    process.env.CHROMIUM ?? 'chromium',
    process.env.CHROMIUM_SHELL ?? 'chromium-headless-shell',
    process.env.AMS_FFMPEG ?? 'ffmpeg',
  ].filter((program) => spawnSync(program, ['-version']).error);
