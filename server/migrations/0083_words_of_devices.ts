import { type Kysely, sql } from 'kysely';

/** Changes of tags, hours and levels name all columns of settings; only new words are worth writing to their indexes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger devices_note_words on devices`.execute(db);
  await sql`
    create trigger devices_note_words after insert on devices
      for each row execute function devices_note_words()`.execute(db);
  await sql`
    create trigger devices_note_new_words after update of name, mac, area, address on devices for each row
      when ((old.name, old.mac, old.area, old.address) is distinct from (new.name, new.mac, new.area, new.address))
      execute function devices_note_words()`.execute(db);
}
