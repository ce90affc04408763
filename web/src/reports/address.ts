import { useAddressFilter } from '../ui/layout/address.ts';

/** The filter of the report, in the address. */
export const useReportAddress = () =>
  useAddressFilter(['range', 'from', 'to', 'ad', 'device', 'file', 'owner', 'deviceGroup', 'by']);

export type ReportAddress = ReturnType<typeof useReportAddress>;
