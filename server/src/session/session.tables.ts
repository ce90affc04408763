import type { Generated } from 'kysely';

declare module '../platform/database.ts' {
  interface Tables {
    sessions: { token_hash: Buffer; user_id: string; expires_at: Date; renewed: Generated<boolean> };
    captchas: { id: string; answer: string; expires_at: Date };
    recovery_codes: { user_id: string; code_hash: Buffer };
    challenges: {
      token_hash: Buffer;
      user_id: string;
      /** The secret that is being set up; null when the user's own is asked for. */
      secret: string | null;
      tries: Generated<number>;
      expires_at: Date;
    };
    login_failures: { username_key: string; count: number; last_at: Date };
  }
}
