import type { Language } from '@ams/contract';
import type { Generated } from 'kysely';

export type Occasion = 'offline' | 'expiring';

declare module '../platform/database/database.ts' {
  interface Tables {
    alerts: {
      user_id: string;
      email: string | null;
      /** The address that was confirmed last; alerts go to `email` while it is the same. */
      email_confirmed: string | null;
      webhook: string | null;
      secret: string;
      offline_minutes: number | null;
      expiring_days: number | null;
      /** About the devices of this group only; null: about all in scope. It may be gone: then about none. */
      group_id: string | null;
      language: Language;
      email_trouble: string | null;
      webhook_trouble: string | null;
    };
    email_codes: {
      user_id: string;
      email: string;
      code_hash: Buffer;
      tries: Generated<number>;
      sent_at: Generated<Date>;
      sends: Generated<number>;
      since: Generated<Date>;
    };
    /** `since`: when the campaign became short of what was told. */
    alerts_told_campaigns: { user_id: string; campaign_id: string; since: Date };
    alerts_told: { user_id: string; device_id: string; occasion: Occasion };
  }
}
