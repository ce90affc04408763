/** Every error the API can answer, with its HTTP status. The names are stable; messages are not. */
export const ERRORS = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  BAD_CREDENTIALS: 401,
  FORBIDDEN_USER: 401,
  LEADING_ONLY: 403,
  READ_ONLY: 403,
  HOLDER_ONLY: 403,
  SELF_REGISTER_CLOSED: 403,
  BAD_SIGNATURE: 403,
  NOT_FOUND: 404,
  FILE_GONE: 404,
  METHOD_NOT_ALLOWED: 405,
  USERNAME_TAKEN: 409,
  MAC_TAKEN: 409,
  DEVICE_OWNED: 409,
  DEVICE_PAIRED: 409,
  DEVICE_OFFLINE: 409,
  FILE_IN_USE: 409,
  GROUP_IN_USE: 409,
  NO_ROOM: 409,
  CAMPAIGN_STATE: 409,
  DISABLED_ABOVE: 409,
  CHANGED_MEANWHILE: 409,
  UNDO_OVER: 409,
  OUTCOME_UNKNOWN: 409,
  VERSION_NOT_NEWER: 409,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_FORMAT: 415,
  RANGE_NOT_SATISFIABLE: 416,
  BAD_CAPTCHA: 422,
  BAD_PLAY_SIGNATURE: 422,
  INVALID_INVITATION: 422,
  PASSWORD_DIFFERENT: 422,
  WRONG_PASSWORD: 422,
  BAD_CODE: 422,
  CHALLENGE_OVER: 422,
  BAD_EMAIL_CODE: 422,
  SECOND_FACTOR_DEMANDED: 422,
  ROOT_PROTECTED: 422,
  NOT_YOURSELF: 422,
  BAD_PAIRING_CODE: 422,
  WRONG_KIND: 422,
  TOO_MANY_FILES: 422,
  TOO_MANY_PIXELS: 422,
  TOO_MANY_UPLOADS: 422,
  TOO_MANY_TAGS: 422,
  TOO_MANY_COLLEAGUES: 422,
  QUOTA_EXCEEDED: 422,
  FILE_NOT_READY: 422,
  NOT_AN_APK: 422,
  APK_UNSIGNED: 422,
  APK_SIGNATURE_BROKEN: 422,
  APK_SIGNATURE_UNSUPPORTED: 422,
  OTHER_SIGNER: 422,
  EMPTY_AD: 422,
  BAD_SPREADSHEET: 422,
  SPREADSHEET_PROTECTED: 422,
  SPREADSHEET_EMPTY: 422,
  SPREADSHEET_HEADS: 422,
  SPREADSHEET_SHEETS: 422,
  SPREADSHEET_HEAVY: 422,
  TOO_MANY_ROWS: 422,
  EXPORT_TOO_LARGE: 422,
  SCREEN_REQUIRED: 422,
  NOT_APPROVABLE: 422,
  NO_DEVICES: 422,
  NO_PLAYS: 422,
  BAD_SCHEDULE: 422,
  STANDING_FILTER: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

export type ErrorName = keyof typeof ERRORS;

/** One refused field: `rule` names the message (see `messages/`), `path` is dotted. */
export interface FieldError {
  path: string;
  rule: string;
  message: string;
}

export interface Success<T> {
  code: 200;
  message: string;
  data: T;
  error?: undefined;
}

export interface Failure {
  code: number;
  message: string;
  error: string;
  details?: Record<string, unknown> | undefined;
}

/** Body of every JSON reply. */
export type Envelope<T> = Success<T> | Failure;

/** Whether a body is an envelope: a proxy's error page is none. */
export const isEnvelope = (body: unknown): body is Envelope<unknown> =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'number' &&
  'message' in body &&
  typeof body.message === 'string';

/** Thrown by handlers and services; the one error exit of the server turns it into a `Failure`. */
export class AppError extends Error {
  readonly error: ErrorName;
  readonly details: Record<string, unknown> | undefined;

  constructor(error: ErrorName, details?: Record<string, unknown>) {
    super(error);
    this.name = 'AppError';
    this.error = error;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.error];
  }
}
