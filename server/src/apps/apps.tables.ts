import type { AppType } from '@ams/contract';
import type { Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    apps: {
      id: string;
      name: string;
      content: string;
      forced: boolean;
      istype: AppType;
      package: string;
      code: number;
      version: string;
      sha256: string;
      icon_sha256: string | null;
      published: Generated<boolean>;
      /** The publisher; null for what a rolled-back version left without one. */
      uploaded_by: string | null;
      /** Null until it was read; empty when the signer cannot be determined. */
      signer: string | null;
      predecessors: Generated<string[]>;
      created_at: Generated<Date>;
    };
  }
}
