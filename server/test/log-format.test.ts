import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { repository } from './programs.ts';

const PROGRAM = `
  import { makeLog } from './server/src/main.ts';
  makeLog({ logLevel: 'info' }).info({ device: 'abc' }, 'paired');
`;
const run = (...command: [string, ...string[]]): string =>
  execFileSync('/bin/sh', ['-c', `${command.join(' ')} 2>&1`], {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, PROGRAM },
  });
const NODE = '"$NODE" --input-type=module --eval "$PROGRAM"';

test('programs that collect logs get JSON', () => {
  expect(JSON.parse(run(NODE))).toMatchObject({ level: 30, device: 'abc', msg: 'paired' });
});

test('a person at a terminal gets readable lines', () => {
  const output = run('script', '-qefc', `'${NODE}'`, '/dev/null');
  expect(output).toMatch(/INFO.*paired/);
  expect(output).not.toContain('{"level"');
});
