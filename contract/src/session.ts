import { z } from 'zod';
import { Nothing, raw, routeTable } from './kernel/route.ts';
import { TimeZone } from './player.ts';
import { plainDigits } from './rules/digits.ts';
import { ColleagueAccess } from './colleagues.ts';
import { Password, User, Username } from './users.ts';

export const SESSION_DAYS = 7;
export const CAPTCHA_MINUTES = 5;
export const LOGIN_TRIES = 5;
export const LOGIN_LOCK_MINUTES = 15;
export const CHALLENGE_MINUTES = 10;
export const CHALLENGE_TRIES = 5;
/** Number of wrong codes that lock an account: for 15 minutes the first time, then twice as long each time. */
export const CODE_TRIES = 5;
export const CODE_LOCK_MINUTES = { first: 15, max: 1440 };
export const INVITATION_CODE_LENGTH = 8;

/** The verification code is asked for unless the installation switched it off (`Settings.captcha`). */
const Captcha = {
  captchaId: z.string().max(100).optional(),
  captcha: z.string().trim().max(20).optional(),
};

/** Six digits of the authenticator app, or a recovery code. */
export const SecondFactorCode = z.string().trim().min(1, 'code.required').max(40).transform(plainDigits);

export const LoginBody = z.object({
  // Without the rules of registration: an invalid name counts as wrong credentials, not as invalid input.
  username: z.string('username.required').trim().min(1, 'username.required').max(100, 'username.length'),
  password: z.string('password.required').min(1, 'password.required').max(200, 'password.length'),
  /** A code of the second factor at once; with the right password it opens a name that wrong passwords locked. */
  code: SecondFactorCode.optional(),
  ...Captcha,
});
export type LoginBody = z.input<typeof LoginBody>;

export const SelfRegisterBody = z.object({
  username: Username,
  password: Password,
  confirm: z.string('confirm.required').min(1, 'confirm.required').max(200),
  ...Captcha,
});
export type SelfRegisterBody = z.input<typeof SelfRegisterBody>;

export const InvitationCode = z.string('invitation.required').trim().min(1, 'invitation.required').max(50);

export const RegisterBody = SelfRegisterBody.extend({ code: InvitationCode });
export type RegisterBody = z.input<typeof RegisterBody>;

export const SessionStarted = z.object({ user: User });

/** Data for an authenticator app: the secret as text and as a QR code (data URL). */
export const SecondFactorSecret = z.object({ secret: z.string(), qr: z.string() });
export type SecondFactorSecret = z.output<typeof SecondFactorSecret>;

/**
 * The password was correct, and a code of the second factor is required. `setup` is present if a user above requires a
 * second factor and this account has none yet: the code then confirms the set-up.
 */
export const LoginChallenge = z.object({ token: z.string(), setup: SecondFactorSecret.nullable() });
export type LoginChallenge = z.output<typeof LoginChallenge>;

export const LoginCodeBody = z.object({ challenge: z.string().max(100), code: SecondFactorCode });
export type LoginCodeBody = z.input<typeof LoginCodeBody>;

/** Proof for setting up or removing a second factor; the code is required if one is enabled. */
export const SecondFactorProof = z.object({
  password: z.string().min(1, 'password.required').max(200, 'password.length'),
  code: SecondFactorCode.optional(),
});
export type SecondFactorProof = z.input<typeof SecondFactorProof>;

/** Each opens the account once if the authenticator app is lost. They are shown only here. */
export const RecoveryCodes = z.array(z.string());

/** Limits and switches that the web needs before anybody signs in. Sizes are bytes. */
export const Settings = z.object({
  captcha: z.boolean(),
  selfRegister: z.boolean(),
  usernameLength: z.object({ min: z.number(), max: z.number() }),
  passwordLength: z.object({ min: z.number(), max: z.number() }),
  upload: z.object({
    maxFiles: z.number(),
    maxImageBytes: z.number(),
    maxVideoBytes: z.number(),
    maxAppBytes: z.number(),
    imageFormats: z.array(z.string()),
    videoFormats: z.array(z.string()),
  }),
  /** Default storage quota of an account in bytes; 0: no limit. */
  quotaBytes: z.number(),
  /** False when no ffmpeg was found: videos that a browser cannot play will fail. */
  conversion: z.boolean(),
});
export type Settings = z.output<typeof Settings>;

const LoginAnswer = z.union([SessionStarted, z.object({ challenge: LoginChallenge })]);

export const session = routeTable({
  captcha: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/captcha',
    access: 'open',
    perMinute: 600,
    summary: 'A verification code as a picture; valid for one attempt within five minutes',
    response: z.object({ captchaId: z.string(), image: z.string() }),
  },
  login: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/login',
    access: 'open',
    summary: 'Log in; returns the token in the headers, or a challenge if a second factor is required',
    body: LoginBody,
    errors: ['BAD_CREDENTIALS', 'FORBIDDEN_USER', 'BAD_CAPTCHA', 'BAD_CODE', 'TOO_MANY'],
    beginsSession: true,
    response: LoginAnswer,
  },
  loginCode: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/login/code',
    access: 'open',
    perMinute: 120,
    summary: 'Complete a login with a second-factor code',
    body: LoginCodeBody,
    errors: ['UNAUTHENTICATED', 'BAD_CREDENTIALS', 'FORBIDDEN_USER', 'BAD_CODE', 'CHALLENGE_OVER'],
    beginsSession: true,
    response: SessionStarted.extend({ recoveryCodes: RecoveryCodes.nullable() }),
  },
  logout: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/logout',
    access: 'user',
    people: 'all',
    summary: 'End this session',
    response: Nothing,
  },
  register: {
    method: 'POST',
    url: '/api/register',
    access: 'open',
    perMinute: 120,
    summary: 'Register with an invitation code, as a user or as a colleague of an account, and log in',
    body: RegisterBody,
    errors: ['BAD_CAPTCHA', 'INVALID_INVITATION', 'PASSWORD_DIFFERENT', 'USERNAME_TAKEN'],
    beginsSession: true,
    response: LoginAnswer,
  },
  selfRegister: {
    method: 'POST',
    url: '/api/selfregister',
    access: 'open',
    perMinute: 120,
    summary: 'Register as a member below the root account and log in',
    body: SelfRegisterBody,
    errors: ['SELF_REGISTER_CLOSED', 'BAD_CAPTCHA', 'PASSWORD_DIFFERENT', 'USERNAME_TAKEN'],
    beginsSession: true,
    response: LoginAnswer,
  },
  beginSecondFactor: {
    method: 'POST',
    url: '/api/second-factor',
    access: 'user',
    people: 'all',
    summary:
      'Create a secret for an authenticator app; requires the password and, if a second factor is enabled, a code. Takes effect once a code of the new secret confirms it',
    body: SecondFactorProof,
    errors: ['WRONG_PASSWORD', 'BAD_CODE'],
    response: LoginChallenge,
  },
  confirmSecondFactor: {
    method: 'PUT',
    url: '/api/second-factor',
    access: 'user',
    people: 'all',
    summary: 'Enable the second factor with a first code; ends the other sessions',
    body: LoginCodeBody,
    errors: ['BAD_CODE', 'CHALLENGE_OVER'],
    response: z.object({ recoveryCodes: RecoveryCodes }),
  },
  endSecondFactor: {
    method: 'POST',
    url: '/api/second-factor/end',
    access: 'user',
    people: 'all',
    summary: "Disable the viewer's second factor; requires the password and a code",
    body: SecondFactorProof,
    errors: ['WRONG_PASSWORD', 'BAD_CODE', 'SECOND_FACTOR_DEMANDED'],
    response: Nothing,
  },
  checkRegisterCode: {
    method: 'POST',
    url: '/api/checkregistercode',
    access: 'open',
    perMinute: 30,
    summary: 'Whether an invitation code can be used, and who created it',
    body: z.object({ code: InvitationCode }),
    errors: ['INVALID_INVITATION'],
    response: z.object({
      valid: z.literal(true),
      superior: z.object({ username: z.string() }),
      /** For a code that invites a colleague, who will act for the account of `superior`. */
      colleague: z.object({ name: z.string(), access: ColleagueAccess }).optional(),
    }),
  },
  inviteRegisterCode: {
    method: 'GET',
    url: '/api/inviteregistercode',
    access: 'leading',
    people: 'operators',
    summary: 'Unused invitation codes as a spreadsheet, or one code as a QR code picture',
    query: z.object({
      format: z.enum(['xls', 'png']).default('xls'),
      code: z.string().max(50).optional(),
      /** Of the times in the spreadsheet. */
      timeZone: TimeZone.default('UTC'),
    }),
    errors: ['NOT_FOUND', 'EXPORT_TOO_LARGE'],
    response: raw('application/vnd.ms-excel', 'image/png'),
  },
  settings: {
    method: 'GET',
    url: '/api/settings',
    access: 'open',
    summary: 'Limits and options that the web app needs',
    response: Settings,
  },
});
