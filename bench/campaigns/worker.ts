import { parentPort, workerData } from 'node:worker_threads';
import { openBoard, type Shared } from './board.ts';
import type { Scenario } from './scenario.ts';
import { Screens } from './screen.ts';

export interface WorkerTask {
  scenario: Scenario;
  shared: Shared;
  devices: number[];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the benchmark starts this thread with a `WorkerTask`
const { scenario, shared, devices } = workerData as WorkerTask;
const screens = new Screens(scenario, openBoard(shared), devices);
parentPort?.on('message', (hour: number) => parentPort?.postMessage(screens.play(hour)));
