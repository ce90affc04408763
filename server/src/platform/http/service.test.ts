import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../../test/device.ts';
import { repository } from '../../../test/programs.ts';
import { startTestServer } from '../../../test/server.ts';

const server = await startTestServer();
const read = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();

test('metrics count requests by route, connections, devices, jobs, connections, uploads and the event loop', async () => {
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
    'ams_database_connections{state="waiting"} 0',
    'ams_jobs{state="failed"} 0',
    'ams_uploads_running 0',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).not.toContain(device.device.id);
});

/** Names of metrics in a text; a histogram has three more for each. */
const namesIn = (text: string): Set<string> =>
  new Set(
    (text.match(/\b(ams|nodejs|process)_[a-z0-9_]*[a-z0-9]/g) ?? []).map((name) =>
      name.replace(/_(count|sum|bucket)$/, ''),
    ),
  );
const page = (file: string): string => readFileSync(path.join(repository, file), 'utf8');

test('docs/metrics.md has every metric, and no other', async () => {
  const types = (await read()).matchAll(/^# TYPE (\S+) /gm);
  expect([...namesIn(page('docs/metrics.md'))].toSorted()).toEqual([...types].map(([, name]) => name).toSorted());
});

test('docs/production.md names metrics that there are', async () => {
  const names = namesIn(page('docs/production.md'));
  expect(names.size).toBeGreaterThan(3);
  expect([...names].filter((name) => !namesIn(page('docs/metrics.md')).has(name))).toEqual([]);
});

/** The complaints of Prometheus's own tool about a text. */
const promtool = (args: string[], input?: string): string => {
  const { stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw error;
  return stdout + stderr;
};

test('names and units follow the conventions of Prometheus', async () => {
  expect(promtool(['check', 'metrics'], await read())).toBe('');
});

test('the examples of docs/production.md are a configuration and rules of Prometheus', async () => {
  const examples = [...page('docs/production.md').matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text);
  const [scrape = '', rules = ''] = examples;
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-prometheus-'));
  await writeFile(path.join(folder, 'prometheus.yml'), scrape.replaceAll('/etc/prometheus/', `${folder}/`));
  await writeFile(path.join(folder, 'ams.rules.yml'), rules);
  const output = promtool(['check', 'config', path.join(folder, 'prometheus.yml')]);
  await rm(folder, { recursive: true });
  expect(output).toMatch(/SUCCESS: \S+ is valid prometheus config file.*SUCCESS: 7 rules found/s);
});
