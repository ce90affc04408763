import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const KIOSK = path.resolve(import.meta.dirname, 'kiosk.mjs');

/** A folder with a browser that only notes its arguments, and a profile that does not exist yet. */
function computer() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-kiosk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const browser = path.join(folder, 'a browser');
  writeFileSync(browser, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.arguments"\n');
  chmodSync(browser, 0o755);
  const noted = () => readFileSync(`${browser}.arguments`, 'utf8').trim().split('\n');
  return { folder, browser, noted, profile: path.join(folder, 'profile') };
}

/** A server that answers every request, and its address. */
async function anyServer(): Promise<string> {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function runKiosk(
  { browser, profile }: ReturnType<typeof computer>,
  more: Record<string, string> = {},
): Promise<void> {
  const args = [KIOSK, '--server', await anyServer(), '--profile', profile];
  const kiosk = spawn(process.execPath, args, { env: { ...process.env, CHROMIUM: browser, ...more }, stdio: 'ignore' });
  expect(await once(kiosk, 'exit')).toEqual([0, null]);
}

test('--print prints a command for the shell without a server and writes nothing', () => {
  const { browser, noted, profile } = computer();
  const printed = execFileSync(
    process.execPath,
    [KIOSK, '--print', '--server', 'http://127.0.0.1:9', '--profile', profile],
    { env: { ...process.env, CHROMIUM: browser }, encoding: 'utf8' },
  );
  expect(existsSync(profile)).toBe(false);
  expect(existsSync(`${browser}.arguments`)).toBe(false);
  execFileSync('/bin/sh', ['-c', printed]);
  expect(noted()).toContain(`--user-data-dir=${profile}`);
  expect(noted().at(-1)).toBe('http://127.0.0.1:9/player/');
});

test('a profile that a killed browser left locked starts again', async () => {
  const here = computer();
  await runKiosk(here);
  for (const [name, target] of Object.entries({
    SingletonLock: 'another-computer-4711',
    SingletonSocket: path.join(here.folder, 'gone/SingletonSocket'),
    SingletonCookie: '1234567890',
  })) {
    symlinkSync(target, path.join(here.profile, name));
  }
  await runKiosk(here);
  expect(existsSync(path.join(here.profile, 'SingletonLock'))).toBe(false);
  expect(here.noted()).toContain(`--user-data-dir=${here.profile}`);
});

test('a profile whose browser runs stays locked', async () => {
  const here = computer();
  await runKiosk(here);
  const socket = path.join(here.folder, 'socket');
  const browser = createSocket().listen(socket);
  await once(browser, 'listening');
  onTestFinished(() => void browser.close());
  symlinkSync(`this-computer-${process.pid}`, path.join(here.profile, 'SingletonLock'));
  symlinkSync(socket, path.join(here.profile, 'SingletonSocket'));
  await runKiosk(here);
  expect(readFileSync(path.join(here.folder, 'a browser.arguments'), 'utf8')).toContain(here.profile);
  expect(() => symlinkSync('x', path.join(here.profile, 'SingletonLock'))).toThrow('EEXIST');
});

/** A browser that answers DevTools on its pipe, lets the page turn the display off, and crashes at its first start. */
const CALLING_BROWSER = `#!${process.execPath}
const fs = require('node:fs');
const starts = __filename + '.starts';
fs.appendFileSync(starts, process.argv.slice(2).join(' ') + '\\n');
const crashes = fs.readFileSync(starts, 'utf8').trim().split('\\n').length === 1;
const say = (message) => fs.writeSync(4, JSON.stringify(message) + '\\0');
let rest = '';
new (require('node:net').Socket)({ fd: 3 }).on('data', (chunk) => {
  const texts = (rest + chunk).split('\\0');
  rest = texts.pop();
  for (const { id, method, params } of texts.map((text) => JSON.parse(text))) {
    say({ id, result: {} });
    if (method === 'Target.setAutoAttach') {
      say({ method: 'Target.attachedToTarget', params: { sessionId: 's', targetInfo: { type: 'page' } } });
    }
    if (method === 'Page.navigate') {
      fs.appendFileSync(starts + '.address', params.url + '\\n');
      say({ method: 'Runtime.bindingCalled', sessionId: 's', params: { name: 'amsHostCall', payload: '["setPower",false]' } });
      setTimeout(() => process.exit(crashes ? 1 : 0), 300);
    }
  }
});
`;

test('it hosts the player: the page turns the display off, and a browser that crashes is started again', async () => {
  const here = computer();
  writeFileSync(here.browser, CALLING_BROWSER);
  const bin = path.join(here.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'xset'), '#!/bin/sh\necho "$@" >> "$0.log"\necho DPMS is Disabled\n', { mode: 0o755 });
  await runKiosk(here, { PATH: `${bin}:${process.env['PATH']}`, DISPLAY: ':99', WAYLAND_DISPLAY: '' });
  const lines = (file: string) => readFileSync(file, 'utf8').trim().split('\n');
  const starts = lines(`${here.browser}.starts`);
  expect(starts).toHaveLength(2);
  expect(starts[0]).toContain('--kiosk --remote-debugging-pipe about:blank');
  expect(lines(`${here.browser}.starts.address`)[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/player\/$/);
  const asked = starts.flatMap(() => ['+dpms', 'dpms force off']);
  expect(lines(path.join(bin, 'xset.log'))).toEqual(['q', ...asked]);
});
