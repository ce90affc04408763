import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Builder, By, Capabilities } from 'selenium-webdriver';
import type { Browser, Tab } from './tab.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY = '/usr/bin/xvfb-run';
const [MINI_BROWSER] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function isUp(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
  return reply?.ok === true;
}

/** A driver on a display of its own, whose size the player reports; it is a group of processes. */
async function startDriver(port: number, size: string): Promise<ChildProcess> {
  const driver = spawn(DISPLAY, ['-a', '-s', `-screen 0 ${size}x24`, DRIVER, `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, LANG: 'en_US.UTF-8' },
  });
  while (!(await isUp(port))) {
    if (driver.exitCode !== null) throw new Error('WebKitWebDriver did not start');
    await sleep(100);
  }
  return driver;
}

function endDriver({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

/** WebKitGTK in its own small browser. Its port of the origin private file system cannot write. */
export const webkit: Browser = {
  name: 'WebKitGTK',
  isInstalled: MINI_BROWSER !== undefined && [DRIVER, DISPLAY].every((program) => existsSync(program)),
  stores: false,
  open: async ({ width, height }): Promise<Tab> => {
    const port = await freePort();
    const process = await startDriver(port, `${width}x${height}`);
    const options = { binary: MINI_BROWSER, args: ['--automation', '--autoplay-policy=allow'] };
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(new Capabilities({ 'browserName': 'MiniBrowser', 'webkitgtk:browserOptions': options }))
      .build();
    await driver.manage().window().setRect({ x: 0, y: 0, width, height });
    const find = (selector: string) => driver.findElement(By.css(selector));
    return {
      goto: (address) => driver.get(address),
      evaluate: (expression) => driver.executeScript(`return ${expression}`),
      click: (selector) => find(selector).click(),
      type: (selector, text) => find(selector).sendKeys(text),
      choose: (selector, file) => find(selector).sendKeys(file),
      violations: () => [],
      picture: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
      close: async () => {
        await driver.quit().catch(() => undefined);
        endDriver(process);
      },
    };
  },
};
