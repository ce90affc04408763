import { LANGUAGES } from '@ams/contract';
import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { expect, onTestFinished, test } from 'vitest';
import { useFormat } from './format.ts';

test.each(LANGUAGES)('a numeric date fits into a narrow column, in %s', async (language) => {
  const before = i18next.language;
  onTestFinished(async () => void (await i18next.changeLanguage(before)));
  await i18next.changeLanguage(language);
  const { result } = renderHook(useFormat);
  const text = result.current.numericDate('2026-11-26');
  expect(text).toMatch(/2026/);
  // Marks of direction have no width.
  expect(text.replace(/[\u200e\u200f]/g, '').length).toBeLessThanOrEqual(13);
});
