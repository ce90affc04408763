import type { GroupFilter } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    groups: {
      id: string;
      owner_id: string;
      name: string;
      filter: ColumnType<GroupFilter, string, string>;
      bookable: Generated<boolean>;
      created_at: Generated<Date>;
    };
  }
}
