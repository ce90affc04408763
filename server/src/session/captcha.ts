import { CAPTCHA_MINUTES, AppError } from '@ams/contract';
import { sql } from 'kysely';
import { v4 as uuidv4, validate } from 'uuid';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';

const PICTURE = { width: 150, height: 50 };

/** A new verification code: its id and its picture as a PNG data URL. */
export async function makeCaptcha({
  db,
  sandbox,
}: Pick<Deps, 'db' | 'sandbox'>): Promise<{ captchaId: string; image: string }> {
  const { text, png } = await sandbox.run('captcha', PICTURE);
  const captchaId = uuidv4();
  await db
    .insertInto('captchas')
    .values({
      id: captchaId,
      answer: text.toLowerCase(),
      expires_at: new Date(Date.now() + CAPTCHA_MINUTES * 60_000),
    })
    .execute();
  return { captchaId, image: `data:image/png;base64,${Buffer.from(png).toString('base64')}` };
}

/** Uses up a verification code; throws when it is missing, wrong, late or used already. */
export async function checkCaptcha(
  db: Db,
  given: { captchaId?: string | undefined; captcha?: string | undefined },
): Promise<void> {
  if (!given.captcha) {
    throw invalidField('captcha', 'captcha.required');
  }
  if (!given.captchaId || !validate(given.captchaId)) throw new AppError('BAD_CAPTCHA');
  const { rows } = await sql<{ answer: string }>`
    delete from captchas where id = ${given.captchaId} and expires_at > now() returning answer`.execute(db);
  if (rows[0]?.answer !== given.captcha.toLowerCase()) throw new AppError('BAD_CAPTCHA');
}
