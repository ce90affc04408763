import pg from 'pg';
import { expect, test } from 'vitest';
import { collisionOf } from './database.ts';

/** A violation of a foreign key as PostgreSQL 15 reports it, in the language of the database. */
const violation = (constraint: string, detail: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('', 0, 'error'), {
    code: '23503',
    table: constraint.split('_')[0],
    constraint,
    detail,
  });

test.each([
  ['users_superior_id_fkey', 'Key (id)=(7) is still referenced from table "users".'],
  ['audit_scope_id_fkey', '键值对(id)=(7)仍然是从表"audit"引用的.'],
  ['files_owner_id_fkey', 'Auf Schlüssel (id)=(7) wird noch aus Tabelle »files« verwiesen.'],
])('a row is referenced, in the language of the database: %s', (constraint, detail) => {
  expect(collisionOf(violation(constraint, detail))).toBe('referenced');
});

test.each([
  ['users_superior_id_fkey', 'Key (superior_id)=(7) is not present in table "users".'],
  ['files_owner_id_fkey', 'テーブル"users"にキー(owner_id)=(7)がありません'],
  ['files_owner_id_fkey', "La clé (owner_id)=(7) n'est pas présente dans la table « users »."],
  ['files_owner_id_fkey', "La clé n'est pas présente dans la table « users »."],
])('a row that is referred to is missing, in the language of the database: %s', (constraint, detail) => {
  expect(collisionOf(violation(constraint, detail))).toBe('missing');
});
