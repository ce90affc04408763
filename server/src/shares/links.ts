import type { ShareKind, ShareSubject } from '@ams/contract';
import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { LinkReader } from '../platform/http/shared-page.ts';

export type SubjectOf<K extends ShareKind> = Extract<ShareSubject, { kind: K }>;

/** The reader of a page, and its link. */
export interface SharedPageContext extends LinkReader {
  token: string;
  createdAt: Date;
}

/** How one kind of link is made and shown. Both throw `NOT_FOUND` when its subject is not in the maker's scope. */
export interface SharedPage<S extends ShareSubject> {
  /** Of the page. */
  headers: Readonly<Record<string, string>>;
  /** The subject as it is stored, and a title by which its maker finds the link again. */
  prepare: (trx: Db, maker: Actor, subject: S) => Promise<{ subject: S; title: string }>;
  /** The HTML of the page, as of now. */
  render: (trx: Db, maker: Actor, subject: S, context: SharedPageContext) => Promise<string>;
}

/** A page for every kind, from the features that own what it shows. */
export type SharedPages = { [K in ShareKind]: SharedPage<SubjectOf<K>> } & {
  wall: {
    /** The picture of that name, as JPEG. Throws `NOT_FOUND`. */
    picture: (trx: Db, maker: Actor, subject: SubjectOf<'wall'>, token: string, name: string) => Promise<Buffer>;
  };
  statement: {
    /** The verification file of its campaign, in pieces. `allow` throws when the link may no longer be read. */
    proof: (db: Db, subject: SubjectOf<'statement'>, allow: () => Promise<unknown>) => AsyncIterable<string>;
  };
};
