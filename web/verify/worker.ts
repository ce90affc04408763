import './zod.ts';
import { checkFile } from './check-file.ts';
import type { Report } from './report.ts';

/** Progress is told at most this often. */
const TELL_MS = 100;

const tell = (report: Report): void => postMessage(report);

/** A file that is compressed is read as it is. */
const opened = (file: File): ReadableStream<Uint8Array<ArrayBuffer>> =>
  file.name.endsWith('.gz') ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();

async function* chunksOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  let toldAt = 0;
  const seen = (bytes: number): void => {
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    tell({ kind: 'progress', share: Math.min(bytes / file.size, 1) });
  };
  checkFile(chunksOf(opened(file)), seen).then(
    (checked) => tell({ kind: 'checked', checked }),
    () => tell({ kind: 'unreadable' }),
  );
});
