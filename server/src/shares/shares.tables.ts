import type { ShareSubject } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    shares: {
      id: string;
      token_hash: Buffer;
      subject: ColumnType<ShareSubject, string, never>;
      title: string;
      created_by: string;
      created_at: Generated<Date>;
      expires_at: Date | null;
      revoked_at: Date | null;
    };
  }
}
