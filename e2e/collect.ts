/**
 * Loaded before a program whose memory is measured: on a message or SIGUSR2 it returns unused memory to the system.
 * Without this, V8 keeps the pages of the largest heap it ever had.
 */
async function collect(): Promise<void> {
  // Moves together what is left, too: pages that are half empty after a rush are not needed.
  await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
}

process.on('message', async (message) => {
  if (message !== 'collect') return;
  await collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ collected: rss, heap: heapUsed + external });
});
process.on('SIGUSR2', () => void collect());
process.channel?.unref();
