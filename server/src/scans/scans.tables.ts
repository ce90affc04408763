import type { Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    /** Scans of the QR code of a release on a device, by the hour. */
    scan_hours: {
      release_id: string;
      device_id: string;
      hour: Date;
      scans: Generated<number>;
      /** Of a device that was deleted. */
      last_zone: string | null;
    };
  }
}
