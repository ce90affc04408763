export const errors = {
  chunkTitle: 'This page could not be loaded',
  chunkHint: 'The connection may be slow or lost, or a newer version is available.',
  brokenTitle: 'Something went wrong',
  brokenHint: 'Reload the page. If it happens again, tell your dealer what you were doing.',
  reload: 'Reload',
  unreachable: 'The server did not answer. Check the connection, then try again.',
  notFoundTitle: 'Page not found',
  notFoundHint: 'The link may be wrong, or the page may have been removed.',
  toHome: 'Go to the home page',
} as const;
