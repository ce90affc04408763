import { common } from './common.ts';
import { errors } from './errors.ts';
import { session } from './session.ts';

/** What the pages before signing in say. */
export const first = { common, errors, session };
