import type { ErrorName } from '../kernel/errors.ts';

/** The messages of refusals. `{{name}}` is filled from the error's details. */
const errors: Record<ErrorName, string> = {
  INVALID: 'Please check what you entered',
  UNAUTHENTICATED: 'Please log in',
  BAD_CREDENTIALS: 'Wrong username or password',
  FORBIDDEN_USER: 'This account is disabled: {{remark}}',
  LEADING_ONLY: 'Only a leader can do this',
  SELF_REGISTER_CLOSED: 'Self-registration is disabled. Ask for an invitation code.',
  BAD_SIGNATURE: 'This link is no longer valid. Reload the page.',
  NOT_FOUND: 'Not found',
  FILE_GONE: 'A selected file has been deleted. Remove it and choose another.',
  METHOD_NOT_ALLOWED: 'This address does not support {{method}}',
  USERNAME_TAKEN: 'This username is already taken',
  MAC_TAKEN: 'A device with this MAC address already exists',
  DEVICE_OWNED: 'This device belongs to another user',
  DEVICE_PAIRED: 'This device has just been paired by someone else and belongs to {{owner}}',
  DEVICE_OFFLINE: 'The device is offline. Try again when it is back online.',
  FILE_IN_USE: 'Used by released ads: {{ads}}. Withdraw them first.',
  NO_ROOM:
    'Some screens do not have enough free time for this campaign. Choose a smaller goal, other hours or other devices.',
  CAMPAIGN_STATE: 'This is not possible in the current state of the campaign. Reload the page.',
  NOT_APPROVABLE:
    'This campaign cannot be approved: it was not requested, its content is gone, or you may not decide on it.',
  GROUP_IN_USE: 'Used by standing releases: {{releases}}. Withdraw them first.',
  CHANGED_MEANWHILE: 'Someone else has changed this. Reload and try again.',
  UNDO_OVER: 'This can no longer be undone',
  TOO_MANY_TAGS: 'A device can have at most 20 tags',
  OUTCOME_UNKNOWN:
    'The server was interrupted, so it is unknown whether this was done. Reload and check before you try again.',
  VERSION_NOT_NEWER:
    '“{{package}}” already exists as version {{version}} ({{code}}). Upload one with a higher version code.',
  PRECONDITION_FAILED: 'This has changed meanwhile. Read it again before you change it.',
  TOO_LARGE: 'Too large. The limit is {{limit}}.',
  UNSUPPORTED_FORMAT: 'Please upload files in {{t}} format',
  RANGE_NOT_SATISFIABLE: 'The requested part of the file does not exist',
  BAD_CAPTCHA: 'The verification code is wrong or already used. Enter the new one.',
  INVALID_INVITATION: 'Invalid invitation code',
  PASSWORD_DIFFERENT: 'Password Different',
  WRONG_PASSWORD: 'The current password is wrong',
  BAD_CODE: 'This code is wrong or already used. Enter the one the app shows now.',
  CHALLENGE_OVER: 'Time is up, or there were too many attempts. Please start again.',
  BAD_EMAIL_CODE: 'This code is wrong or no longer valid. Send a new one.',
  SECOND_FACTOR_DEMANDED: 'Your account requires two-factor login. It cannot be turned off.',
  ROOT_PROTECTED: 'The first account cannot be disabled, changed or deleted',
  NOT_YOURSELF: 'You cannot do this to your own account',
  BAD_PAIRING_CODE: 'This code is wrong or has expired. Enter the one the screen shows now.',
  WRONG_KIND: '“{{name}}” does not fit this region of the screen',
  TOO_MANY_FILES: 'At most {{max}} files per region',
  TOO_MANY_PIXELS: 'This picture is too large. The limit is {{megapixels}} megapixels.',
  QUOTA_EXCEEDED:
    'The storage quota of {{limit}} is used up. Delete files that are no longer needed, or ask your manager for more.',
  TOO_MANY_UPLOADS: 'You have {{max}} unfinished uploads. Finish or cancel some, or try again tomorrow.',
  FILE_NOT_READY: '“{{name}}” is not ready yet',
  NOT_AN_APK: 'This file is not an APK, or it is damaged',
  APK_UNSIGNED: 'This APK is not signed. Upload one signed with your release key.',
  APK_SIGNATURE_BROKEN: 'The signature of this APK does not match its content. Build or download it again.',
  APK_SIGNATURE_UNSUPPORTED:
    'The signature of this APK is not supported: it has several signers or an unknown algorithm',
  OTHER_SIGNER: '“{{package}}” is signed with a different key than earlier versions. Sign it with the same key.',
  EMPTY_AD: 'Choose at least one file',
  BAD_SPREADSHEET:
    'This file is damaged or not a spreadsheet. Save it as .xls, .xlsx, .ods or .csv in a spreadsheet program.',
  SPREADSHEET_PROTECTED: 'This file is password-protected. Save it without a password and try again.',
  SPREADSHEET_EMPTY: 'This file has no rows. Fill in the template and try again.',
  SPREADSHEET_HEADS: 'No column with MAC addresses was found. The first row names the columns: {{heads}}.',
  SPREADSHEET_SHEETS: 'There are rows on several sheets: {{sheets}}. Put them all on one sheet.',
  SPREADSHEET_HEAVY: 'This file takes too long to read. Copy its rows to a new file and try again.',
  TOO_MANY_ROWS: 'At most {{max}} rows at a time. Split the file and try again',
  EXPORT_TOO_LARGE: 'An export can hold at most {{max}} devices. Narrow the filter and try again.',
  SCREEN_REQUIRED: 'Choose the main or the secondary screen',
  NO_DEVICES: 'Choose at least one device',
  STANDING_FILTER: 'A standing release takes lasting conditions only: text, owner, tags, area, orientation, pairing',
  BAD_SCHEDULE: 'The end is before the start',
  IDEMPOTENCY_KEY_REUSED: 'This idempotency key has been used for another request. Use a new one.',
  TOO_MANY: 'Too many attempts. Please wait {{seconds}} s.',
  INTERNAL: 'Something went wrong on the server (reference {{requestId}})',
  UNAVAILABLE: 'The service is temporarily unavailable. Please try again.',
  STORAGE_FULL: 'Server storage is full. Nothing was saved.',
};

/** Validation rules: the messages that the schemas name. */
const rules = {
  'invalid': 'Not valid',
  'username.required': 'Input username',
  'username.length': 'Username: 4 to 20 characters',
  'username.alphanumeric': 'Username: letters and digits only',
  'password.required': 'Enter a password',
  'password.length': 'Password: 8 to 72 characters',
  'confirm.required': 'Enter the password again',
  'code.required': 'Enter the code',
  'email.invalid': 'Not a valid e-mail address',
  'webhook.url': 'Enter a URL that starts with https:// or http://',
  'alerts.offlineMinutes': 'Between 2 and 10,080 minutes',
  'alerts.expiringDays': 'Between 1 and 90 days',
  'captcha.required': 'Enter the verification code',
  'invitation.required': 'Enter the invitation code',
  'quota.size': 'Enter a number of gigabytes, such as 5 or 0.5',
  'phone.invalid': 'Invalid phone number',
  'remark.required': 'Enter a remark',
  'remark.length': 'Remark: at most 200 characters',
  'name.required': 'Enter a name',
  'name.length': 'Name: at most 60 characters',
  'name.invisible': 'Use at least one visible character',
  'area.required': 'Enter an area',
  'area.length': 'Area: at most 60 characters',
  'tag.invalid': 'A tag has 1 to 30 characters and no comma or semicolon',
  'tag.count': 'A device can have at most 20 tags',
  'tag.choice': 'Choose tags to add or remove',
  'address.required': 'Enter an address',
  'address.length': 'Address: at most 200 characters',
  'content.length': 'What’s new: at most 2000 characters',
  'mac.invalid': 'Not a valid MAC address',
  'timeZone.invalid': 'Not a valid time zone',
  'pairing.codeRequired': 'Enter the code shown on the screen',
  'file.required': 'Choose a file',
  'file.nameRequired': 'The file has no name',
  'file.nameLength': 'File names: at most 120 characters',
  'file.nameSymbols': 'File names cannot have special symbols',
  'file.kind': 'This kind of file does not exist for this screen',
  'schedule.clock': 'Enter a time as HH:MM',
  'schedule.date': 'Not a valid date',
  'schedule.order': 'The end is before the start',
  'hours.same': 'The hours must begin and end at different times',
  'hours.overlap': 'These hours overlap with others',
  'hours.count': 'At most 24 spans of hours',
  'hours.exceptions': 'At most 366 exceptions',
  'hours.date': 'This date has an exception already',
  'level.range': 'Between 0 and 100',
  'takeover.until': 'Choose when the takeover ends',
  'takeover.past': 'The end is in the past',
  'takeover.days': 'A takeover can last at most 7 days',
  'batch.choice': 'Choose devices by ID or by a filter',
  'batch.ids': 'At most 1000 devices by ID. Use a filter for more',
  'stages.order': 'Each step must reach more devices than the previous one',
  'amount.invalid': 'Enter an amount such as 12.50',
  'amount.minorUnits': 'This currency has fewer decimals',
  'campaign.adsTwice': 'Each ad can be chosen once',
  'campaign.days': 'A campaign can run for at most 732 days',
  'campaign.foreignDevices': 'Some devices belong to other customers. Choose a bookable group.',
  'campaign.noAds': 'Choose at least one ad',
  'campaign.orientation': 'All ads of a campaign need the same orientation',
  'campaign.past': 'This flight has already ended',
  'campaign.tooManyAds': 'A campaign can have at most 10 ads',
  'currency.unknown': 'Unknown currency',
  'standing.ids': 'Choose a group or a filter',
  'stages.all': 'The last step must reach all devices (100%)',
  'plays.tooMany': 'At most 1000 plays per request. Send the rest in the next one.',
  'report.days': 'Choose a range of days',
  'report.range': 'At most 366 days',
  'report.hours': 'By hour: at most 31 days',
  'calendar.range': 'At most 35 days',
  'report.rows': 'More than 20,000 rows. Choose fewer days or a single device.',
};

/** Why a file failed, or what to know of it. */
const files = {
  unreadable: 'The file is damaged or incomplete',
  noVideo: 'The file has sound but no video',
  needsConversion: 'Browsers cannot play this format, and the server has no ffmpeg to convert it',
  tooManyPixels: 'The picture has too many pixels',
  tooLong: 'The picture is too large; each side can have at most 16,384 pixels',
  conversion: 'The video could not be converted',
  tooSlow: 'Converting took too long. Upload a shorter video, or one in H.264 (MP4).',
  tooDemanding:
    'This file needs too much time or memory to process. Export it again with common settings and upload that version.',
  shape: 'The proportions of this file do not fit its region of the screen',
};

/** Why a device could not fetch what it should play. */
const downloads = {
  diskFull: 'The device’s storage is full',
  checksum: 'The file was damaged in transit',
  unreachable: 'The device cannot reach the file',
  cannotPlay: 'The device cannot play the file',
  storage: 'The device’s storage is not working',
  appFailed: 'The device could not install its new software',
};

/** Why a row of a spreadsheet did not go in. */
const imports = {
  macMissing: 'The MAC address is missing',
  macInvalid: 'Not a valid MAC address',
  macTwice: 'This MAC address is already in row {{first}}',
  macTaken: 'A device with this MAC address already exists',
  nameLong: 'The name is too long; at most 60 characters',
  nameInvisible: 'The name has no visible character',
  nameError: 'The name is an error of a formula',
  areaInvalid: 'The area is too long or has no visible character; at most 60 characters',
  addressInvalid: 'The address is too long or has no visible character; at most 200 characters',
  tagInvalid: 'A tag is too long or has no visible character; at most 30 characters',
  tooManyTags: 'A device can have at most 20 tags',
  ownerUnknown: 'You do not manage a user with this name',
  dateInvalid: 'This date is ambiguous. Write it as 2027-01-31.',
  datePast: 'This date is in the past',
};

/** Headings and texts of the spreadsheets of devices; an import accepts the headings of every language. */
const sheets = {
  mac: 'mac',
  name: 'name',
  owner: 'owner',
  expires: 'expires',
  area: 'area',
  address: 'address',
  tags: 'tags',
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
  helpMac: 'mac: required. Any format: 02:1a:2b:3c:4d:5e, 02-1A-2B-3C-4D-5E or 021a2b3c4d5e.',
  helpName: 'name: optional. For example, the location of the device; at most 60 characters.',
  helpOwner: 'owner: optional. A username; if empty, the device is yours.',
  helpExpires: 'expires: optional. The last day, such as 2027-01-31, or “never”; if empty, the trial period applies.',
  helpArea: 'area: optional. A city or district; at most 60 characters.',
  helpAddress: 'address: optional. Street and number; at most 200 characters.',
  helpTags: 'Tags: optional. Separate them by commas; at most 20, of 30 characters each',
  helpRows: 'One device per row, at most {{max}} rows. Keep the first row; the order of the columns does not matter.',
};

/** The spreadsheet of invitation codes. */
const invitations = {
  title: 'codes',
  code: 'code',
  role: 'role',
  createdBy: 'created by',
  createdAt: 'created',
  expiresAt: 'expires',
  leading: 'Leader',
  member: 'Member',
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
  deviceGroup: 'Group',
  plays: 'Plays',
  seconds: 'Seconds on screen',
  hours: 'Hours on screen',
  total: 'Total',
  foreign: '(another user’s)',
};

/** Pages for people without an account. */
const shares = {
  brand: 'Advertising Management System',
  invalid: 'This link is not valid',
  invalidHint: 'It has expired or was revoked. Ask the person who sent it to you for a new one.',
  sharedBy: 'Shared by {{username}}',
  validUntil: 'Link valid until {{date}}',
  byHour: 'Plays by hour',
  byDay: 'Plays by day',
  rows: 'The table shows the first {{n}} rows. The totals include all of them.',
};

/** Messages about devices, by e-mail. */
const alerts = {
  offlineSubject: 'Devices offline: {{count}}',
  offlineBody: 'These devices have been offline for more than {{minutes}} minutes:',
  expiringSubject: 'Devices about to expire: {{count}}',
  expiringBody: 'These devices expire within {{days}} days:',
  replacedSubject: 'A device was replaced under its MAC address',
  replacedBody:
    'Another device has been paired under the MAC address of this device, which is now disconnected. If nobody on your side did this, check the device:',
  more: 'and {{count}} more',
  lastSeen: 'last seen {{at}}',
  expires: 'expires after {{date}}',
  testSubject: 'Test alert',
  testBody: 'This is what alerts about your devices look like.',
  confirmSubject: 'Confirm your e-mail address',
  confirmBody: 'Enter this code on the alerts page to receive alerts about your devices at this address:',
  confirmIgnore: 'If you did not request this, ignore this message.',
};

/** The wall of devices, a page for people without an account. `{{age}}`: how long ago a picture was taken. */
const wall = {
  sums: '{{online}} of {{total}} online',
  online: 'Online',
  offline: 'Offline',
  expired: 'Expired',
  unnamed: 'Unnamed device',
  noPicture: 'No picture yet',
  picture: 'Picture: {{age}}',
  lost: 'No connection. This is the last known state.',
  empty: 'No devices',
  rest: '{{n}} more devices are not shown.',
};

/** The messages that the web app shows by itself. The server alone writes the others. */
export const shown = { errors, rules, files, downloads, sheets };
export type ShownMessages = typeof shown;

export const messages = { ok: 'ok', ...shown, alerts, imports, invitations, reports, shares, wall };
export type Messages = typeof messages;
export type Rule = keyof typeof rules;
