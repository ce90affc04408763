import { constants, crc32, deflateRawSync } from 'node:zlib';
import { join, latin1, repeat, u16le, u32le, u64le, u8 } from './bytes.ts';

/** Archives of PKWARE APPNOTE 6.3.10 in which every field can lie. */

export interface Member {
  name: string | Buffer;
  content: Buffer | string;
  /** 0 stored, 8 deflated. */
  method?: number;
  /** Already packed bytes, instead of packing the content. */
  packed?: Buffer;
  /** Forged values in the directory. */
  says?: { packedBytes?: number; bytes?: number; crc?: number; offset?: number; flags?: number; extra?: Buffer };
  /** The name in front of the content, when it is another. */
  localName?: string;
}

export interface End {
  comment?: Buffer;
  entries?: number;
  directoryBytes?: number;
  directoryAt?: number;
  /** Bytes in front of the end record, such as that of Zip64. */
  before?: Buffer;
}

const DEFLATED = 8;

interface Packed {
  member: Member;
  name: Buffer;
  bytes: Buffer;
  packed: Buffer;
  method: number;
}

function pack(member: Member): Packed {
  const bytes = Buffer.from(member.content);
  const method = member.method ?? DEFLATED;
  const packed = member.packed ?? (method === DEFLATED ? deflateRawSync(bytes) : bytes);
  return { member, name: Buffer.from(member.name), bytes, packed, method };
}

const common = ({ member: { says = {} }, bytes, packed, method }: Packed, name: Buffer, extra: Buffer): Buffer =>
  join(
    u16le(20, says.flags ?? 0, method, 0, 0),
    u32le(says.crc ?? crc32(bytes), says.packedBytes ?? packed.length, says.bytes ?? bytes.length),
    u16le(name.length, extra.length),
  );

/** An archive of these members; `end` replaces the true values of its end. */
export function archive(members: readonly Member[], end: End = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const one = pack(member);
    const extra = member.says?.extra ?? Buffer.alloc(0);
    const localName = Buffer.from(member.localName ?? one.name);
    const local = join(latin1('PK\x03\x04'), common(one, localName, Buffer.alloc(0)), localName, one.packed);
    const place = u32le(0, member.says?.offset ?? offset);
    directory.push(
      join(latin1('PK\x01\x02'), u16le(20), common(one, one.name, extra), u16le(0, 0, 0), place, one.name, extra),
    );
    locals.push(local);
    offset += local.length;
  }
  return join(
    locals,
    directory,
    end.before ?? Buffer.alloc(0),
    endRecord(members.length, join(directory).length, offset, end),
  );
}

const endRecord = (count: number, bytes: number, at: number, end: End): Buffer => {
  const { comment = Buffer.alloc(0), entries = count, directoryBytes = bytes, directoryAt = at } = end;
  return join(
    latin1('PK\x05\x06'),
    u16le(0, 0, entries, entries),
    u32le(directoryBytes, directoryAt),
    u16le(comment.length),
    comment,
  );
};

/** The end of Zip64: a record of these numbers, and where it is. */
export const zip64End = (entries: bigint, bytes: bigint, at: bigint, recordAt: bigint): Buffer =>
  join(
    ...[latin1('PK\x06\x06'), u64le(44n), u16le(45, 45), u32le(0, 0), u64le(entries, entries, bytes, at)],
    ...[latin1('PK\x06\x07'), u32le(0), u64le(recordAt), u32le(1)],
  );

export const ZIP64_EXTRA = (bytes: bigint): Buffer => join(u16le(1, 24), u64le(bytes, bytes, 0n));

const MEGABYTE = deflateRawSync(Buffer.alloc(2 ** 20, 0x20), { finishFlush: constants.Z_FULL_FLUSH });

/** Megabytes of spaces between two texts, deflated to a thousandth. */
export function bomb(megabytes: number, before = '', after = ''): Buffer {
  const plain = (text: string): Buffer =>
    text === '' ? Buffer.alloc(0) : deflateRawSync(latin1(text), { finishFlush: constants.Z_FULL_FLUSH });
  return join(plain(before), repeat(megabytes, MEGABYTE), plain(after), u8(3, 0));
}

/** The files of an archive whose members are stored, as tests make APKs. */
export function storedMembers(bytes: Buffer): Member[] {
  const members: Member[] = [];
  for (let at = 0; bytes.toString('latin1', at, at + 4) === 'PK\x03\x04';) {
    const [size, name, extra] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26), bytes.readUInt16LE(at + 28)];
    const start = at + 30 + name + extra;
    if (bytes.readUInt16LE(at + 8) !== 0) throw new Error('a member is packed');
    members.push({
      name: bytes.toString('utf8', at + 30, at + 30 + name),
      content: bytes.subarray(start, start + size),
    });
    at = start + size;
  }
  return members;
}
