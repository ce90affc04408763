import { defineConfig } from 'vitest/config';

const TESTS = '**/*.test.{ts,tsx}';

export default defineConfig({
  test: {
    // Databases, media and whole servers: two at a time suit the smallest machine that runs them.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['contract', 'web', 'player', 'scripts'].map((part) => `${part}/${TESTS}`) },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Processes, media and time that passes; what needed its second try is marked in the output.
          retry: process.env.CI ? 1 : 0,
          include: ['server', 'fleet', 'demo'].map((part) => `${part}/${TESTS}`),
          globalSetup: 'server/test/global-setup.ts',
        },
      },
    ],
  },
});
