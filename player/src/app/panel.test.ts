import { expect, test, vi } from 'vitest';
import { makePanel } from './panel.ts';

const darkness = () => Object.assign({}, { style: { opacity: '' } }) as unknown as HTMLElement;

test('a host hears each change once, and nothing of levels that are left as they are', () => {
  const host = { setPower: vi.fn(), setBrightness: vi.fn(), setVolume: vi.fn() };
  const overlay = darkness();
  const panel = makePanel({ panel: host }, overlay);
  for (const isOn of [true, true, false, false, true]) panel.set({ isOn, brightness: 40, volume: null });
  panel.set({ isOn: true, brightness: null, volume: 10 });
  expect(host.setPower.mock.calls).toEqual([[true], [false], [true]]);
  expect(host.setBrightness.mock.calls).toEqual([[40]]);
  expect(host.setVolume.mock.calls).toEqual([[10]]);
  expect(overlay.style.opacity).toBe('');
});

test('without a host the page is darkened, never to black', () => {
  const overlay = darkness();
  const panel = makePanel({ panel: {} }, overlay);
  const opacity = (brightness: number | null) => {
    panel.set({ isOn: true, brightness, volume: null });
    return Number(overlay.style.opacity);
  };
  expect(opacity(50)).toBeCloseTo(0.45);
  expect(opacity(0)).toBeCloseTo(0.9);
  expect(opacity(100)).toBe(0);
  expect(opacity(0)).toBeCloseTo(0.9);
  expect(opacity(null)).toBe(0);
});
