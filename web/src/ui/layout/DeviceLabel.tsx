import { formatMac } from '@ams/contract';

/** A canonical MAC address as people read it, left to right in every language. */
export const Mac = ({ mac }: { mac: string }) => <span className="device">{formatMac(mac)}</span>;

/** What a device is called: its name, or its MAC address while it has none. */
export const DeviceLabel = ({ device: { name, mac } }: { device: { name: string; mac: string } }) =>
  name || <Mac mac={mac} />;
