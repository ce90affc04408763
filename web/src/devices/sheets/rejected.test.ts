import type { RejectedRow } from '@ams/contract';
import { expect, test } from 'vitest';
import { rejectedCsv } from './rejected.ts';

const row: RejectedRow = {
  row: 7,
  mac: '=cmd',
  name: 'Zur "Linde", links',
  owner: '',
  expires: '31.2.2027',
  tags: '',
  area: 'Lyon',
  address: '',
  reason: 'macInvalid',
  message: 'Not a valid MAC address',
};

test('rejected rows come as a file that no spreadsheet program runs, with the reason beside each', () => {
  expect(rejectedCsv(['mac', 'name', 'owner', 'expires', 'tags', 'area', 'address', 'reason'], [row])).toBe(
    '\uFEFF"mac","name","owner","expires","tags","area","address","reason"\r\n' +
      `"'=cmd","Zur ""Linde"", links","","31.2.2027","","Lyon","","Not a valid MAC address"\r\n`,
  );
});
