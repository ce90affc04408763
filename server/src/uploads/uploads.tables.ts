import type { ColumnType, Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    uploads: {
      id: string;
      uploader_id: string;
      /** The person who began it; null once the colleague was deleted. */
      person_id: string | null;
      purpose: string;
      metadata: ColumnType<Record<string, string>, string, never>;
      size: number;
      place: string;
      head: Generated<Buffer>;
      hashed: Generated<number>;
      hash_state: Buffer | null;
      sha256: string | null;
      created_at: Generated<Date>;
      touched_at: Generated<Date>;
    };
    upload_locks: { id: string; holder: string; process: string };
  }
}
