/** `fetch` with a useful reason for network failures: its own error is only "fetch failed". */
export async function plainFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!(error instanceof TypeError) || !(error.cause instanceof Error)) throw error;
    // If several addresses were tried, the aggregate error has a code but no message.
    const cause = error.cause instanceof AggregateError ? (error.cause.errors[0] ?? error.cause) : error.cause;
    throw cause;
  }
}
