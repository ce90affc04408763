import { type Sheet, utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { readSheets } from './sheets.ts';

/** The bytes of an .xlsx file with one cell. */
function bookOf(text: string): Buffer {
  const sheet: Sheet = utils.aoa_to_sheet([[text]]);
  const bytes: unknown = write({ SheetNames: ['a'], Sheets: { a: sheet } }, { type: 'buffer', bookType: 'xlsx' });
  if (!Buffer.isBuffer(bytes)) throw new Error('not written');
  return bytes;
}

const END_BYTES = 22;

/**
 * Two archives in one: the comment of the second one is the end of the first. Readers that look for the last end record
 * get the first, readers that check the length of the comment the second.
 */
function twoInOne(first: Buffer, second: Buffer): Buffer {
  const directoryAt = second.readUInt32LE(second.length - END_BYTES + 16);
  const moved = Buffer.from(second);
  // The second archive comes after the first.
  moved.writeUInt32LE(directoryAt + first.length, second.length - END_BYTES + 16);
  for (let at = directoryAt; at < second.length - END_BYTES;) {
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + first.length, at + 42);
    at += 46 + moved.readUInt16LE(at + 28) + moved.readUInt16LE(at + 30) + moved.readUInt16LE(at + 32);
  }
  const comment = Buffer.from(first.subarray(-END_BYTES));
  // No reader that checks it takes this record.
  comment.writeUInt16LE(1, END_BYTES - 2);
  moved.writeUInt16LE(comment.length, moved.length - 2);
  return Buffer.concat([first, moved, comment]);
}

const input = { extension: 'xlsx', language: 'en', maxRows: 10 };

/** The same archive with a name in front of a file that its directory does not have. */
function withOtherName(archive: Buffer): Buffer {
  const renamed = Buffer.from(archive);
  renamed.write('X', archive.indexOf('docProps/core.xml'));
  return renamed;
}

/** The same archive whose directory has one file more than its length says. */
function withHidden(archive: Buffer): Buffer {
  const shorter = Buffer.from(archive);
  const lengthAt = archive.length - END_BYTES + 12;
  const last = archive.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  shorter.writeUInt32LE(last - archive.readUInt32LE(lengthAt + 4), lengthAt);
  return shorter;
}

test('a spreadsheet of which two readers see different archives is refused', async () => {
  const plain = bookOf('plain');
  expect(await readSheets({ ...input, bytes: plain })).toMatchObject({ kind: 'sheets' });
  for (const bytes of [twoInOne(bookOf('hidden'), plain), withOtherName(plain), withHidden(plain)]) {
    expect(await readSheets({ ...input, bytes })).toEqual({ kind: 'refused', error: 'BAD_SPREADSHEET' });
  }
});
