import type { Role } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

declare module '../platform/database.ts' {
  interface Tables {
    users: {
      id: string;
      username: string;
      username_key: string;
      password_hash: string;
      role: Role;
      phone: string | null;
      superior_id: string | null;
      disabled: Generated<boolean>;
      remark: string | null;
      last_login_at: Date | null;
      created_at: Generated<Date>;
    };
    user_scopes: { ancestor_id: string; user_id: string };
    invitations: {
      code: string;
      role: Role;
      created_by: string;
      created_at: Generated<Date>;
      expires_at: Date;
      revoked_at: ColumnType<Date | null, Date | undefined, Date>;
      used_at: ColumnType<Date | null, Date | undefined, Date>;
      used_by: ColumnType<string | null, string | undefined, string>;
    };
  }
}
