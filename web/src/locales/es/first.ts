import { common } from './common.ts';
import { errors } from './errors.ts';
import { session } from './session.ts';

/** What the pages before signing in say. */
export const first = { common, errors, session };

/** The contract's messages: every page needs them as well, and files of their own would be mostly headers. */
export { shown as messages } from '@ams/contract/messages/es';
