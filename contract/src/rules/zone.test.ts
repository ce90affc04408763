import { expect, test, vi } from 'vitest';
import { isTimeZone } from './zone-names.ts';
import { localTime } from './zone.ts';

test('time zones are places; neither offsets nor the short names of old Java are', () => {
  const places = [
    'UTC',
    'GMT',
    'EST',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Etc/GMT+5',
    ...Intl.supportedValuesOf('timeZone'),
  ];
  expect(places.filter((name) => !isTimeZone(name))).toEqual([]);
  for (const name of ['+05:30', '-0300', 'IST', 'vst', 'Etc/Unknown', '']) expect(isTimeZone(name)).toBe(false);
});

test('the number of names that are kept is limited, whatever their letters', () => {
  const name = 'america/argentina/buenos_aires';
  /** The same zone under another name for each number. */
  const variant = (number: number) =>
    Array.from(name, (letter, at) => (at < 20 && (number >> at) & 1 ? letter.toUpperCase() : letter)).join('');
  localTime(0, variant(1));
  const make = vi.spyOn(Intl, 'DateTimeFormat');
  localTime(60_000, variant(1));
  expect(make).not.toHaveBeenCalled();
  for (let number = 2; number < 3000; number++) localTime(0, variant(number));
  make.mockClear();
  localTime(120_000, variant(1));
  expect(make).toHaveBeenCalledOnce();
  // Checking a name keeps nothing: strangers may do it.
  expect([isTimeZone(variant(1500)), isTimeZone(variant(1500))]).toEqual([true, true]);
  expect(make).toHaveBeenCalledTimes(3);
  make.mockRestore();
});
