import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN, dataOf, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_CAPTCHA: 'on' });
const nobody = server.as();

/** The text of the picture; tests read it from the database. */
async function readCaptcha(): Promise<{ captchaId: string; captcha: string }> {
  const { captchaId } = dataOf(await nobody.session.captcha());
  const { answer } = await server.deps.db
    .selectFrom('captchas')
    .select('answer')
    .where('id', '=', captchaId)
    .executeTakeFirstOrThrow();
  return { captchaId, captcha: answer };
}

test('the verification code is a PNG picture', async () => {
  const { image } = dataOf(await nobody.session.captcha());
  const [head, base64 = ''] = image.split(',');
  expect(head).toBe('data:image/png;base64');
  expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ format: 'png', width: 150 });
});

test('login asks for it, takes it in any case, and only once', async () => {
  expect(await nobody.session.login({ body: ADMIN })).toMatchObject({
    code: 400,
    details: { fields: [{ path: 'captcha', rule: 'captcha.required', message: 'Enter the verification code' }] },
  });
  const read = await readCaptcha();
  const body = { ...ADMIN, ...read, captcha: read.captcha.toUpperCase() };
  expect(dataOf(await nobody.session.login({ body }))).toMatchObject({ user: { username: 'admin' } });
  expect(await nobody.session.login({ body })).toMatchObject({ code: 422, error: 'BAD_CAPTCHA' });
});

test('a wrong answer uses it up and does not count against the password', async () => {
  for (let tries = 0; tries < 6; tries += 1) {
    const read = await readCaptcha();
    expect(await nobody.session.login({ body: { ...ADMIN, ...read, captcha: 'zzzzz' } })).toMatchObject({
      error: 'BAD_CAPTCHA',
    });
    expect(await nobody.session.login({ body: { ...ADMIN, ...read } })).toMatchObject({ error: 'BAD_CAPTCHA' });
  }
  const read = await readCaptcha();
  expect(dataOf(await nobody.session.login({ body: { ...ADMIN, ...read } }))).toMatchObject({
    user: { username: 'admin' },
  });
});

test('an old one is refused', async () => {
  const read = await readCaptcha();
  await server.deps.db
    .updateTable('captchas')
    .set({ expires_at: new Date(0) })
    .execute();
  expect(await nobody.session.login({ body: { ...ADMIN, ...read } })).toMatchObject({ error: 'BAD_CAPTCHA' });
});

test('nobody waits for a verification code because of what others upload', async () => {
  const { promise: hold, resolve: letGo } = Promise.withResolvers<void>();
  onTestFinished(() => letGo());
  const picture = { file: '/nonexistent', pixelsMax: 1, sideMax: 1 };
  const parsing = server.deps.sandbox.run('pictureFacts', picture, { beforeStart: () => hold });
  expect(dataOf(await nobody.session.captcha()).image).toContain('data:image/png');
  letGo();
  expect(await parsing).toMatchObject({ kind: 'bad' });
});
