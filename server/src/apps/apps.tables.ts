import type { AppType } from '@ams/contract';
import type { Generated } from 'kysely';

declare module '../platform/database.ts' {
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
      uploaded_by: string | null;
      created_at: Generated<Date>;
    };
  }
}
