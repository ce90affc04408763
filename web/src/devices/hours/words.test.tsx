import type { Schedule, WorkingHours } from '@ams/contract';
import { render } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test } from 'vitest';
import { LANGUAGE_PACKS } from '../../locales/packs.ts';
import { useScheduleWords } from '../../ui/format/schedule.ts';
import { useHoursWords, useLevelsWords } from './words.ts';

const day = [
  { from: '08:00', to: '12:00' },
  { from: '14:00', to: '20:00' },
];
const HOURS: WorkingHours = {
  weekly: { 1: day, 2: day, 6: [{ from: '10:00', to: '14:00' }] },
  exceptions: [{ date: '2026-12-24', hours: [] }],
};
const SCHEDULE: Schedule = { from: '2026-11-21', to: '2026-12-01', weekdays: [1, 2, 3], hours: day };
const LEVELS = { volume: 40, volumeHours: [{ from: '22:00', to: '07:00', value: 0 }], brightness: null };

function Words() {
  const [hours, schedule, levels] = [useHoursWords(), useScheduleWords(), useLevelsWords()];
  return (
    <>
      <p>{hours(HOURS)}</p>
      <p>{schedule(SCHEDULE)}</p>
      <p>{levels(LEVELS)}</p>
    </>
  );
}

async function linesIn(language: 'en' | 'ar' | 'zh' | 'ja'): Promise<(string | null)[]> {
  for (const [namespace, texts] of Object.entries(await (LANGUAGE_PACKS[language] ?? LANGUAGE_PACKS.en).texts()))
    i18next.addResourceBundle(language, namespace, texts);
  await i18next.changeLanguage(language);
  const { container, unmount } = render(<Words />);
  const lines = [...container.querySelectorAll('p')].map(({ textContent }) => textContent);
  unmount();
  return lines;
}

afterEach(() => i18next.changeLanguage('en'));

test('hours, schedules and levels are lines of words', async () => {
  expect(await linesIn('en')).toEqual([
    'Mon–Tue 08:00–12:00 and 14:00–20:00; Sat 10:00–14:00; exceptions: 1',
    'Nov 21, 2026 – Dec 1, 2026, Mon, Tue, and Wed, 08:00–12:00 and 14:00–20:00',
    'Volume: 40%, 22:00–07:00 0%; Brightness: as set on the device',
  ]);
});

test.each(['ar', 'zh', 'ja'] as const)('in %s they have no Latin comma or semicolon', async (language) => {
  const lines = await linesIn(language);
  expect(lines.filter((line) => !line || /[,;]/.test(line))).toEqual([]);
});
