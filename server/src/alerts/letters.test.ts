import type { AlertMessage } from '@ams/contract';
import { expect, test } from 'vitest';
import { letterOf } from './message.ts';

const READER = { offlineMinutes: 15, groupId: null, webAddress: undefined };
const MESSAGE: Pick<AlertMessage, 'at' | 'total' | 'campaigns'> = {
  at: '2031-02-03T04:05:06.000Z',
  total: 1,
  campaigns: [],
};
const device = (name: string) => ({
  id: '01a21f5e-142f-745c-b751-4dd3a55ab426',
  mac: '02f1ee000001',
  name,
  owner: 'shop1',
  lastSeenAt: '2031-02-03T01:02:03.000Z',
  expiresAt: '2031-02-05',
});
const linesAbout = (type: 'offline' | 'expiring', name: string, language: 'en' | 'ar'): string | undefined =>
  letterOf({ ...MESSAGE, type, devices: [device(name)] }, { ...READER, language })
    .text.split('\n')
    .find((line) => line.startsWith('•'));

test('a MAC and a date beside Arabic words keep the order of their digits in a letter', () => {
  expect(linesAbout('offline', 'شاشة المدخل', 'en')).toBe(
    '• \u2068شاشة المدخل\u2069 (\u206802F1EE000001\u2069) · \u2068shop1\u2069 · last seen \u20682031-02-03 01:02 UTC\u2069',
  );
  expect(linesAbout('expiring', 'Entrance 1', 'ar')).toBe(
    '• \u2068Entrance 1\u2069 (\u206802F1EE000001\u2069) · \u2068shop1\u2069 · ينتهي بعد \u20682031-02-05\u2069',
  );
});

test('a line in which everything runs one way has no signs of direction', () => {
  expect(linesAbout('expiring', 'Entrance 1', 'en')).toBe(
    '• Entrance 1 (02F1EE000001) · shop1 · expires after 2031-02-05',
  );
});

test('the numbers of a campaign stay behind an Arabic name', () => {
  const campaigns = [
    { id: '01a21f5e-142f-745c-b751-4dd3a55ab427', name: 'تخفيضات 7', customer: 'shop1', ordered: 90, short: 5 },
  ];
  const { text } = letterOf({ ...MESSAGE, type: 'short', devices: [], campaigns }, { ...READER, language: 'en' });
  expect(text).toContain('• \u2068تخفيضات 7\u2069 · \u2068shop1\u2069 · missing plays: 5 of 90\n');
});
