import type { Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    sessions: {
      token_hash: Buffer;
      user_id: string;
      expires_at: Date;
      renewed: Generated<boolean>;
      /** Tries at the own password that were wrong or are under way, and when the last was counted. */
      failures: Generated<number>;
      failed_at: Date | null;
    };
    captchas: { id: string; answer: string; expires_at: Date };
    recovery_codes: { user_id: string; code_hash: Buffer };
    challenges: {
      token_hash: Buffer;
      user_id: string;
      /** Whether its answer signs in, or sets the second factor up for the session that asked. */
      purpose: 'login' | 'setup' | null;
      session_hash: Buffer | null;
      /** The secret that is being set up; null when the user's own is asked for. */
      secret: string | null;
      tries: Generated<number>;
      expires_at: Date;
    };
    login_failures: { username_key: string; count: number; last_at: Date };
    known_browsers: {
      token_hash: Buffer;
      user_id: string;
      failures: Generated<number>;
      failed_at: Date | null;
      used_at: Generated<Date>;
    };
  }
}
