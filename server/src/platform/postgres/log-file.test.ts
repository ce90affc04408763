import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openLog } from './log-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ams-log-'));

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('the last messages are found although the file was emptied since the start', () => {
  vi.useFakeTimers();
  const file = path.join(folder, 'postgres.log');
  writeFileSync(file, 'LOG:  a message of an earlier start\n');
  const log = openLog(file);
  appendFileSync(file, 'LOG:  much\n'.repeat(2 ** 20));
  vi.advanceTimersByTime(60_000);
  appendFileSync(file, 'FATAL:  no\nLOG:  bye\n');
  expect([log.complaint(), log.lastWords()]).toEqual(['FATAL:  no', 'LOG:  bye']);
  log.close();
});

test('a file that has grown too large is emptied although it cannot be copied, as on a full disk', () => {
  vi.useFakeTimers();
  const place = mkdtempSync(path.join(tmpdir(), 'ams-log-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const file = path.join(place, 'postgres.log');
  mkdirSync(`${file}.1`);
  const large = 'LOG:  much\n'.repeat(2 ** 20);
  writeFileSync(file, large);
  const log = openLog(file);
  expect(statSync(file).size).toBe(0);
  appendFileSync(file, large);
  vi.advanceTimersByTime(60_000);
  expect(statSync(file).size).toBe(0);
  log.close();
});
