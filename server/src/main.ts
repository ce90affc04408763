import { type Config, readConfig } from './config.ts';
import { type Ends, endAll, giveUp, localOrigin, makeLog, serve, stopOnSignal } from './serve.ts';
import type { RunningServer } from './server.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const ends: Ends = [];
  const started = serve(config, makeLog(config), ends);
  stopOnSignal(started, ends);
  try {
    process.stdout.write(banner(await started, config));
  } catch (error) {
    await endAll(ends);
    throw error;
  }
}

function banner(server: RunningServer, config: Config): string {
  const { deps, madePassword } = server;
  const address = config.publicUrl ?? localOrigin(server, config);
  const lines = [
    '',
    '  Advertising Management System',
    '',
    `  Address:  ${address}/`,
    `  Player:   ${address}/player/`,
    `  Account:  ${config.admin.username}`,
    ...(madePassword ? [`  Password: ${madePassword}   (shown this once; change it after logging in)`] : []),
    ...(deps.conversion
      ? []
      : ['', '  No ffmpeg found: videos that browsers cannot play (HEVC, MKV …) fail, and videos have no poster.']),
    '',
    '',
  ];
  return lines.join('\n');
}

main().catch(giveUp);
