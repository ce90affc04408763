import type { Language } from '@ams/contract';

export type Occasion = 'offline' | 'expiring';

declare module '../platform/database.ts' {
  interface Tables {
    alerts: {
      user_id: string;
      email: string | null;
      webhook: string | null;
      secret: string;
      offline_minutes: number | null;
      expiring_days: number | null;
      language: Language;
      email_trouble: string | null;
      webhook_trouble: string | null;
    };
    alerts_told: { user_id: string; device_id: string; occasion: Occasion };
  }
}
