import { expect, test, vi } from 'vitest';
import { hostOf } from './host.ts';

const refuse = (): never => {
  throw new Error('Java exception was raised during method invocation');
};

/** A window of a host whose every function throws. */
const refusing = Object.assign(new EventTarget(), {
  AMSHost: {
    ...{ mac: refuse, package: refuse, code: refuse, restart: refuse, takeScreenshot: refuse },
    ...{ setPower: refuse, setBrightness: refuse, setVolume: refuse, installSignedApp: refuse },
  },
}) as unknown as Window;

test('a host that throws exceptions stops nothing: they are logged, and the page does what it can', async () => {
  const log = vi.fn();
  const host = hostOf(refusing, log);
  expect(host).toMatchObject({ mac: undefined, installed: undefined });
  host.panel.setPower?.(true);
  host.panel.setBrightness?.(40);
  host.panel.setVolume?.(10);
  expect(log.mock.calls.map(([level, text]) => [level, String(text).split(':')[0]])).toEqual(
    ['mac', 'package', 'code', 'setPower', 'setBrightness', 'setVolume'].map((name) => ['error', `host ${name}`]),
  );
  expect(host.restart?.()).toBe(false);
  expect(await host.screenshot?.()).toBeUndefined();
});

test('a host that restarts says so', () => {
  const restart = vi.fn();
  const host = hostOf(Object.assign(new EventTarget(), { AMSHost: { restart } }) as unknown as Window, () => undefined);
  expect(host.restart?.()).toBe(true);
  expect(restart).toHaveBeenCalledOnce();
});
