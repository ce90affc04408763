import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
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
