import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests wait for states, not for times: so long may a busy computer take to reach one. */
export const PATIENCE_MS = 30_000;

const TESTS = '**/*.test.ts';
const HOSTILE = 'server/**/hostile-files.test.ts';
/** Databases and disks that fail, uploads that change the process, nginx and S3: whole systems, in `npm run test:all`. */
const SYSTEMS = ['server/**/{accel,database-away,full-disk,hopping,postgres,s3}.test.ts', 'fleet/test/faults.test.ts'];

export default defineConfig({
  test: {
    // Whole servers with databases and child processes, which keep a core busy: more at a time take longer together.
    maxWorkers: availableParallelism(),
    // A worker imports the server once, and not for each file: files end what they start and undo what they replace.
    isolate: false,
    // How long a busy computer takes says nothing: these end what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    setupFiles: 'vitest.setup.ts',
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['contract', 'web', 'player', 'scripts'].map((part) => `${part}/${TESTS}`) },
      },
      {
        extends: true,
        // Components, in a document without a layout: what needs one is tested in a browser (e2e).
        test: {
          name: 'components',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['vitest.setup.ts', 'web/test/setup.ts'],
          restoreMocks: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Processes, media and time that passes; what needed its second try is marked in the output.
          retry: process.env.CI ? 1 : 0,
          include: ['server', 'fleet', 'demo', 'bench'].map((part) => `${part}/${TESTS}`),
          exclude: [HOSTILE, ...SYSTEMS],
          setupFiles: ['vitest.setup.ts', 'server/test/setup.ts'],
          globalSetup: 'server/test/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'systems',
          retry: process.env.CI ? 1 : 0,
          include: SYSTEMS,
          setupFiles: ['vitest.setup.ts', 'server/test/setup.ts'],
          globalSetup: 'server/test/global-setup.ts',
        },
      },
      {
        extends: true,
        // The worst files of the corpus, up to the limits of the child processes: minutes, in `npm run test:all`.
        test: {
          name: 'hostile',
          retry: process.env.CI ? 1 : 0,
          include: [HOSTILE],
          setupFiles: ['vitest.setup.ts', 'server/test/setup.ts'],
          globalSetup: 'server/test/global-setup.ts',
        },
      },
    ],
  },
});
