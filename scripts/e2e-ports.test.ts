import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const STORIES = path.resolve(import.meta.dirname, '../e2e');
/** In a cluster, a story takes its port and the two after it: one for nginx and one for each server process. */
const PORTS_OF_STORY = 3;

test('stories that run at once have ports of their own, also in a cluster', () => {
  const ports = readdirSync(STORIES)
    .filter((name) => name.endsWith('.spec.ts'))
    .flatMap((name) =>
      Array.from(
        readFileSync(path.join(STORIES, name), 'utf8').matchAll(/new RealServer\(\{ port: (\d+)/g),
        (found) => ({
          name,
          port: Number(found[1]),
        }),
      ),
    )
    .toSorted((a, b) => a.port - b.port);
  expect(ports.length).toBeGreaterThan(30);
  const tooClose = ports.filter(({ port }, index) => port - (ports[index - 1]?.port ?? 0) < PORTS_OF_STORY);
  expect(tooClose).toEqual([]);
});
