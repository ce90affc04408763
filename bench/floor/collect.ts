/** Loaded before a program whose memory is measured: it collects its garbage when it is told to. */
process.on('message', (message) => {
  if (message !== 'collect') return;
  // Twice: what the first one finalizes, the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ collected: process.memoryUsage.rss() });
});
process.channel?.unref();
