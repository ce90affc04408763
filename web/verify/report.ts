import type { CheckedFile } from './check-file.ts';

/** What the worker tells the page. */
export type Report =
  | { kind: 'progress'; share: number }
  | { kind: 'checked'; checked: CheckedFile }
  /** It is no verification file. */
  | { kind: 'unreadable' };
