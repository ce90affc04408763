import type { CampaignGoal, Language } from '@ams/contract';
import { renderHook } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { changeLanguage } from '../platform/i18n.ts';
import { useCampaignWords } from './words.ts';

test.each<[language: Language, goal: CampaignGoal, text: string]>([
  ['en', { kind: 'perHour', value: 1 }, '1 play per hour and screen'],
  ['en', { kind: 'perHour', value: 6 }, '6 plays per hour and screen'],
  ['de', { kind: 'total', value: 1 }, '1 Wiedergabe insgesamt'],
  ['ru', { kind: 'perHour', value: 1 }, '1 показ в час на экран'],
  ['ru', { kind: 'perHour', value: 2 }, '2 показа в час на экран'],
  ['ru', { kind: 'total', value: 11 }, 'Всего 11 показов'],
  ['ar', { kind: 'perHour', value: 6 }, '6 مرات عرض في الساعة لكل شاشة'],
])('a goal in %s counts its plays: %o', async (language, goal, text) => {
  await changeLanguage(language);
  onTestFinished(() => changeLanguage('en'));
  expect(renderHook(useCampaignWords).result.current.goal(goal)).toBe(text);
});
