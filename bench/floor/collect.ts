/** Loaded before a program whose memory is measured: it frees unused memory on request. */
process.on('message', async (message) => {
  if (message !== 'collect') return;
  // Moves together what is left, too: pages that are half empty after a rush are not needed.
  await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
  process.send?.({ collected: process.memoryUsage.rss() });
});
process.channel?.unref();
