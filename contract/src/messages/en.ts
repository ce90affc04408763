import type { ErrorName } from '../kernel/errors.ts';

/** What a person reads when something is refused. `{{name}}` is filled from the error's details. */
const errors: Record<ErrorName, string> = {
  INVALID: 'Please check what you entered',
  UNAUTHENTICATED: 'Please log in',
  BAD_CREDENTIALS: 'Username or password is wrong',
  FORBIDDEN_USER: 'This account is forbidden: {{remark}}',
  LEADING_ONLY: 'Only a leading user may do this',
  SELF_REGISTER_CLOSED: 'Self-registration is closed; ask for an invitation code',
  BAD_SIGNATURE: 'This address is no longer valid; reload the page',
  NOT_FOUND: 'This was not found',
  FILE_GONE: 'A chosen file was deleted; take it out and choose another',
  USERNAME_TAKEN: 'This username is taken',
  MAC_TAKEN: 'A device with this MAC address exists already',
  DEVICE_OWNED: 'This device belongs to another user',
  DEVICE_PAIRED: 'Somebody was faster: this device is paired and belongs to {{owner}}',
  DEVICE_OFFLINE: 'The device is offline and cannot be asked now; try again when it is online',
  FILE_IN_USE: 'In use by released ads: {{ads}}. Withdraw them first',
  CHANGED_MEANWHILE: 'Somebody else changed this meanwhile; reload and try again',
  OUTCOME_UNKNOWN:
    'The server was interrupted, so it is not known whether this was done; reload and check before you try again',
  VERSION_NOT_NEWER:
    '“{{package}}” is here already as version {{version}} ({{code}}); upload one with a higher version code',
  TOO_LARGE: 'Too large; at most {{limit}} is allowed',
  UNSUPPORTED_FORMAT: 'Please upload files in {{t}} format',
  RANGE_NOT_SATISFIABLE: 'This part of the file does not exist',
  BAD_CAPTCHA: 'The verification code is wrong or used up; enter the new one',
  INVALID_INVITATION: 'Invalid invitation code',
  PASSWORD_DIFFERENT: 'Password Different',
  WRONG_PASSWORD: 'The current password is wrong',
  BAD_CODE: 'This code is wrong or used; enter the one that the app shows now',
  CHALLENGE_OVER: 'This took too long or too many tries; please start again',
  BAD_EMAIL_CODE: 'This code is wrong or no longer valid; send a new one',
  SECOND_FACTOR_DEMANDED: 'Your superior demands the second factor; it cannot be turned off',
  ROOT_PROTECTED: 'The first account cannot be forbidden, changed or deleted',
  NOT_YOURSELF: 'You cannot do this to your own account',
  BAD_PAIRING_CODE: 'This code is wrong or too old; enter the one the screen shows now',
  WRONG_KIND: '“{{name}}” does not fit this part of the screen',
  TOO_MANY_FILES: 'At most {{max}} files in one part of the screen',
  TOO_MANY_PIXELS: 'This picture is too large; at most {{megapixels}} megapixels',
  QUOTA_EXCEEDED:
    'The storage quota of {{limit}} is used up; delete files that are no longer needed, or ask the user above for more',
  TOO_MANY_UPLOADS: 'You have begun {{max}} uploads without ending them; finish or cancel some, or try again tomorrow',
  FILE_NOT_READY: '“{{name}}” is not ready yet',
  NOT_AN_APK: 'This is not an APK, or it is damaged',
  APK_UNSIGNED: 'This APK is not signed; upload one that is signed with your release key',
  APK_SIGNATURE_BROKEN: 'The signature of this APK does not match its content; build or download it again',
  APK_SIGNATURE_UNSUPPORTED:
    'This APK is signed in a way that is not supported here: by several signers or with an unknown algorithm',
  OTHER_SIGNER: '“{{package}}” is signed with another key than the versions before; sign it with the same key',
  EMPTY_AD: 'Choose at least one file',
  BAD_SPREADSHEET:
    'This file is damaged, or no spreadsheet whatever its name says. Save it as .xls, .xlsx or .csv in a spreadsheet program',
  SPREADSHEET_PROTECTED: 'This file is protected by a password. Save it without one and try again',
  SPREADSHEET_EMPTY: 'This file holds no rows. Fill in the template and try again',
  SPREADSHEET_HEADS: 'No column of MAC addresses was found. The first row names the columns: {{heads}}',
  SPREADSHEET_SHEETS: 'Rows stand on several sheets: {{sheets}}. Put all of them on one',
  SPREADSHEET_HEAVY: 'This file takes too long to read. Copy its rows to a new file and try again',
  TOO_MANY_ROWS: 'At most {{max}} rows at a time. Split the file and try again',
  EXPORT_TOO_LARGE: 'At most {{max}} devices fit into one export. Narrow the filter and try again',
  SCREEN_REQUIRED: 'Choose the main or the secondary screen',
  NO_DEVICES: 'Choose at least one device',
  BAD_SCHEDULE: 'The end lies before the start',
  IDEMPOTENCY_KEY_REUSED: 'This idempotency key was used for another request; use a new one',
  TOO_MANY: 'Too many tries; please wait {{seconds}} s',
  INTERNAL: 'Something went wrong on the server (number {{requestId}})',
  UNAVAILABLE: 'The service is not available at the moment; please try again',
  STORAGE_FULL: 'The server’s disk is full; nothing was stored',
};

/** Validation rules: the messages that the schemas name. */
const rules = {
  'invalid': 'Not valid',
  'username.required': 'Input username',
  'username.length': 'Username: 4 to 20 characters',
  'username.alphanumeric': 'Username: letters and digits only',
  'password.required': 'Input password',
  'password.length': 'Password: 8 to 72 characters',
  'confirm.required': 'Input the password again',
  'code.required': 'Input the code',
  'email.invalid': 'Not an e-mail address',
  'webhook.url': 'An address that begins with https:// or http://',
  'alerts.offlineMinutes': '2 to 10,080 minutes',
  'alerts.expiringDays': '1 to 90 days',
  'captcha.required': 'Input the verification code',
  'invitation.required': 'Input the invitation code',
  'quota.size': 'A number of gigabytes, such as 5 or 0.5',
  'phone.invalid': 'Invalid phone number',
  'remark.required': 'Input a remark',
  'remark.length': 'Remark: at most 200 characters',
  'name.required': 'Input a name',
  'name.length': 'Name: at most 60 characters',
  'name.invisible': 'Use at least one visible character',
  'content.length': 'What is new: at most 2000 characters',
  'mac.invalid': 'Not a MAC address',
  'timeZone.invalid': 'Not a time zone',
  'pairing.codeRequired': 'Input the code that the screen shows',
  'file.required': 'Choose a file',
  'file.nameRequired': 'The file has no name',
  'file.nameLength': 'File names: at most 120 characters',
  'file.nameSymbols': 'File names cannot have special symbols',
  'file.kind': 'There is no such kind of file for this screen',
  'schedule.clock': 'Time as HH:MM',
  'schedule.date': 'Not a date',
  'schedule.order': 'The end lies before the start',
  'batch.choice': 'Choose devices by their ids or by a filter',
  'batch.ids': 'At most 1000 devices by id; use a filter for more',
  'stages.order': 'Each step must reach more devices than the one before',
  'stages.all': 'The last step must reach all devices (100 %)',
  'plays.tooMany': 'At most 1000 plays in one batch; send the others in the next',
  'report.days': 'Choose a range of days',
  'report.range': 'At most 366 days at a time',
  'report.hours': 'By the hour at most 31 days at a time',
  'report.rows': 'More than 20,000 rows; choose fewer days or one device',
};

/** Why a file failed, or what to know of it. */
const files = {
  unreadable: 'The file is damaged or incomplete',
  noVideo: 'The file has no picture, only sound',
  needsConversion: 'No browser plays this format and the server has no ffmpeg to convert it',
  tooManyPixels: 'The picture has too many pixels',
  tooLong: 'The picture is too long; at most 16,384 pixels on a side are possible',
  conversion: 'The video could not be converted',
  tooSlow: 'Converting took too long; upload a shorter video, or one in H.264 (MP4)',
  tooDemanding:
    'Processing this file needs more time or memory than allowed; export it again with common settings and upload that',
  shape: 'The shape of this file does not fit its place on the screen',
};

/** Why a device could not fetch what it should play. */
const downloads = {
  diskFull: 'The device’s disk is full',
  checksum: 'The file arrived damaged',
  unreachable: 'The device cannot reach the file',
  cannotPlay: 'The device cannot play the file',
  storage: 'The device’s storage refuses to work',
  appFailed: 'The device could not install its new app',
};

/** Why a row of a spreadsheet did not go in. */
const imports = {
  macMissing: 'The MAC address is missing',
  macInvalid: 'This is no MAC address',
  macTwice: 'This MAC address stands in row {{first}} already',
  macTaken: 'A device with this MAC address exists already',
  nameLong: 'The name is too long; at most 60 characters',
  nameInvisible: 'The name has no visible character',
  ownerUnknown: 'There is no such user among yours',
  dateInvalid: 'This date is not clear; write it as 2027-01-31',
  datePast: 'This date is in the past',
};

/** Headings and words of the spreadsheets of devices; an import knows the headings in every language. */
const sheets = {
  mac: 'mac',
  name: 'name',
  owner: 'owner',
  expires: 'expires',
  connection: 'connection',
  online: 'online',
  offline: 'offline',
  lastSeen: 'last seen (UTC)',
  content: 'content',
  contentDone: 'done',
  contentWaiting: 'waiting',
  contentFailed: 'failed',
  timeZone: 'time zone',
  playerVersion: 'player version',
  added: 'added (UTC)',
  never: 'never',
  help: 'How to fill it in',
  helpMac: 'mac: needed. Any usual writing: 02:1a:2b:3c:4d:5e, 02-1A-2B-3C-4D-5E or 021a2b3c4d5e',
  helpName: 'name: optional. Where the device stands, for instance; at most 60 characters',
  helpOwner: 'owner: optional. A username; without it the device is yours',
  helpExpires: 'expires: optional. The last day, such as 2027-01-31, or “never”; without it the trial period counts',
  helpRows: 'One device a row, at most {{max}} rows. Keep the first row; the order of the columns does not matter',
};

/** Headings of exported reports. */
const reports = {
  title: 'Play report',
  timeZone: 'Time zone',
  hour: 'Hour',
  day: 'Day',
  ad: 'Ad',
  device: 'Device',
  file: 'File',
  owner: 'User',
  plays: 'Plays',
  seconds: 'Seconds on screen',
  hours: 'Hours on screen',
  total: 'Total',
  foreign: '(another user’s)',
};

/** Messages about devices, by e-mail. */
const alerts = {
  offlineSubject: 'Devices offline: {{count}}',
  offlineBody: 'These devices have been offline for more than {{minutes}} minutes:',
  expiringSubject: 'Devices about to expire: {{count}}',
  expiringBody: 'These devices expire within {{days}} days:',
  replacedSubject: 'Another device was paired under a known MAC',
  replacedBody:
    'This device was paired again: another device now holds its MAC, and the one before it is disconnected. If nobody on your side did this, check the device:',
  more: 'and {{count}} more',
  lastSeen: 'last seen {{at}}',
  expires: 'expires after {{date}}',
  testSubject: 'Test alert',
  testBody: 'This is how alerts about your devices will reach you.',
  confirmSubject: 'Confirm your e-mail address',
  confirmBody: 'Enter this code on the alerts page to receive alerts about your devices at this address:',
  confirmIgnore: 'If you did not ask for this, ignore this message.',
};

export const messages = {
  ok: 'ok',
  alerts,
  errors,
  rules,
  files,
  downloads,
  imports,
  sheets,
  reports,
};
export type Messages = typeof messages;
export type Rule = keyof typeof rules;
