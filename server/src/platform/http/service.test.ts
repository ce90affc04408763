import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../../test/device.ts';
import { repository } from '../../../test/programs.ts';
import { startTestServer } from '../../../test/server.ts';

const server = await startTestServer();
const read = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();

test('metrics tell of requests by route, channels, devices, jobs, connections, uploads and the event loop', async () => {
  const admin = await server.login();
  const device = await pairedDevice(server, admin);
  const channel = await device.open();
  await channel.next();
  await admin.calls.devices.get({ params: { id: device.device.id } });
  await fetch(`${server.url}/api/somewhere-that-is-not`);
  const text = await read();
  for (const line of [
    'ams_http_request_duration_seconds_count{method="GET",route="/api/devices/:id",status="200"} 1',
    'ams_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    'ams_channels 1',
    'ams_devices_online 1',
    'ams_jobs{state="failed"} 0',
    'ams_database_connections{state="waiting"} 0',
    'ams_uploads_running 0',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).not.toContain(device.device.id);
});

test.each(['docs/metrics.md', 'docs/production.md'])('%s names metrics that there are', async (file) => {
  const page = readFileSync(path.join(repository, file), 'utf8');
  const names = new Set(page.match(/\b(ams|nodejs)_[a-z0-9_]*[a-z0-9]/g));
  expect(names.size).toBeGreaterThan(3);
  const text = await read();
  expect([...names].filter((name) => !new RegExp(`^(# TYPE )?${name}[ {]`, 'm').test(text))).toEqual([]);
});
