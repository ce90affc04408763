import { alerts } from './alerts.ts';
import { home } from './home.ts';
import { users } from './users.ts';

/** What the frame of signed-in pages and the home page say besides the first texts. */
export const frame = { home, users, alerts };
