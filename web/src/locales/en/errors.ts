export const errors = {
  chunkTitle: 'This page could not be loaded',
  chunkHint: 'The network is slow or away, or there is a newer version.',
  brokenTitle: 'Something went wrong here',
  brokenHint: 'Reload the page. If it happens again, tell your dealer what you did.',
  reload: 'Reload',
  notFoundTitle: 'There is nothing here',
  notFoundHint: 'The address is wrong, or what stood here is gone.',
  toHome: 'To the home page',
} as const;
