import type { Generated } from 'kysely';

declare module '../platform/database.ts' {
  interface Tables {
    sessions: { token_hash: Buffer; user_id: string; expires_at: Date; renewed: Generated<boolean> };
    captchas: { id: string; answer: string; expires_at: Date };
    login_failures: { username_key: string; count: number; last_at: Date };
  }
}
