import i18next from 'i18next';
import { toast } from '../../platform/toast.ts';
import { exportDevices, type Target } from '../../queries/devices.ts';
import { isoOf } from '../dates.ts';

/** Saves devices as a spreadsheet, named by the day. */
export async function exportAsSheet(target: Target): Promise<void> {
  toast.info(i18next.getFixedT(null, 'devices')('exportPreparing'));
  await exportDevices(target, `device MAC export ${isoOf(new Date())}.xls`);
}
