import type { ColleagueAccess, Role, WorkingHours } from '@ams/contract';
import type { ColumnType, Generated, RawBuilder } from 'kysely';

declare module '../platform/database/database.ts' {
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
      /** Null: the default of the installation; 0: no limit. */
      quota_bytes: number | null;
      remark: string | null;
      last_login_at: Date | null;
      /** Base32 (RFC 4648); null without a second factor. */
      totp_secret: string | null;
      /** The time step of the last code that was taken: none is taken twice (RFC 6238 §5.2). */
      totp_step: Generated<number>;
      /** Wrong codes from strangers, and when the last was given. */
      code_failures: Generated<number>;
      code_failed_at: Date | null;
      second_factor_below: Generated<boolean>;
      releases_need_approval: Generated<boolean>;
      /** Default working hours of its devices and of those below; null: those of the superior. */
      working_hours: ColumnType<WorkingHours | null, undefined, string | null>;
      created_at: Generated<Date>;
      /** The account that a colleague acts for; null for accounts. */
      colleague_of: string | null;
      /** Of a colleague. */
      name: string | null;
      access: ColleagueAccess | null;
      disabled_above: Generated<boolean>;
    };
    colleague_invitations: {
      code: string;
      account_id: string;
      name: string;
      access: ColleagueAccess;
      created_at: Generated<Date>;
      expires_at: ColumnType<Date, Date | RawBuilder<Date>, never>;
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
