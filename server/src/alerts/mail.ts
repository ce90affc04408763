import { z } from 'zod';
import type { Deps } from '../platform/process/deps.ts';
import type { Letter } from './message.ts';

/** Some mail servers let strangers wait for half a minute; one that is silent for longer is away. */
const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 40_000, socketTimeout: 40_000 };

/** Nodemailer's faults that are the letter's: the mail server refused its address, or the letter itself. */
const Refusal = z.object({ code: z.enum(['EENVELOPE', 'EMESSAGE']), response: z.string() });

/** Why a letter was not sent, for the user whose letter it is; other faults of the mail server are named in the log alone. */
const reasonOf = (error: unknown): string =>
  Refusal.safeParse(error).data?.response ?? 'the mail server of this installation takes no letters now';

/** Sends a letter. Throws an error whose message may be shown to its user. */
export async function mail({ config, log }: Pick<Deps, 'config' | 'log'>, to: string, letter: Letter): Promise<void> {
  if (!config.mail) throw new Error('SMTP_URL is not set');
  // Most processes send no mail: jobs of the alerts are rare.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: config.mail.url, ...LIMITS });
  try {
    await transport.sendMail({ from: config.mail.from, to, ...letter });
  } catch (error) {
    log.warn({ err: error }, 'a letter could not be sent');
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    transport.close();
  }
}
