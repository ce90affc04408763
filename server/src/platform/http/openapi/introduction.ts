import {
  ERRORS,
  type ErrorName,
  LANGUAGES,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  type Routes,
  SESSION_DAYS,
} from '@ams/contract';
import { messages } from '@ams/contract/messages/en';

export interface Section {
  title: string;
  /** Paragraphs in Markdown, of which only `code` is used. */
  text: readonly string[];
}

const errorList = (names: readonly ErrorName[]): string =>
  names.map((name) => `\`${name}\` (${ERRORS[name]}): ${messages.errors[name]}`).join('\n\n');

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets that the keys are names
const ERROR_NAMES = Object.keys(ERRORS) as ErrorName[];

/** The introduction for readers before their first call. */
export const INTRODUCTION: readonly Section[] = [
  {
    title: 'Envelope',
    text: [
      'Every JSON body is `{ "code": 200, "message": "ok", "data": … }`. A call that creates or changes something answers that thing as `data`; a deletion answers `data: null`.',
      'Ids are UUIDs of version 7. Times are ISO 8601 in UTC, sizes are bytes, durations are milliseconds unless the name says seconds. Later versions may add properties: ignore those that you do not know.',
      `\`Accept-Language\` chooses the language of \`message\`: ${LANGUAGES.join(', ')}. Every response has \`x-request-id\`, which the log of the server has too.`,
    ],
  },
  {
    title: 'Errors',
    text: [
      'An error is `{ "code": 409, "message": "…", "error": "USERNAME_TAKEN", "details": { … } }`. `code` equals the HTTP status, `error` is a stable name, `message` may be shown to a person, `details` depends on the error. For `INVALID`, `details.fields` is a list of `{ path, rule, message }`.',
      '`429` and `503` have `retry-after`, in seconds. A known address answers `405` with `allow` to methods that it does not have. Each call below lists its errors; these are all of them:',
      errorList(ERROR_NAMES),
    ],
  },
  {
    title: 'Authentication',
    text: [
      `Call \`POST /captcha\` (unless \`GET /settings\` says \`captcha: false\`), then \`POST /login\`. The response header \`token\` is sent as \`Authorization: Bearer <token>\` with every other call. A session lasts ${SESSION_DAYS} days (\`expires_in\`, in seconds). When less than half of it is left, any response may carry a new \`token\`, and the old one remains valid for 60 seconds: always keep the latest.`,
      'Every authenticated response has the headers `role` (`leading` or `member`), `current` and, if there is one, `superior`: JSON `{ id, username, phone }`, URI-encoded. `person` is the holder of the account or the colleague who is signed in: JSON `{ id, username, name, access }`, URI-encoded. If the account has a second factor, `POST /login` answers a `challenge` instead of a session, which `POST /login/code` completes.',
      'Devices send a secret of their own as bearer token, from their first `POST /player/enrol` on. Addresses of media are signed, so that browsers load them without a header.',
    ],
  },
  {
    title: 'Lists',
    text: [
      `Lists take \`limit\` (1–${PAGE_LIMIT_MAX}, default ${PAGE_LIMIT_DEFAULT}) and \`cursor\`, and answer \`{ items, next }\`. Send \`next\` as \`cursor\` to read on; it is null at the end. \`total=true\` adds \`total\`.`,
    ],
  },
  {
    title: 'Repetition',
    text: [
      'Every changing call may carry `idempotency-key`, any unique text. A repetition with the same key within a day gets the first answer, and the change is made once. With another request, a key that was used is refused.',
    ],
  },
  {
    title: 'Uploads',
    text: [
      'Files are uploaded with tus 1.0.0 (https://tus.io/protocols/resumable-upload) at `/uploads`, with the extensions creation, creation-with-upload, termination, expiration and checksum; any tus client works in its default settings. The response that completes an upload carries `file-id`: read `GET /files/{id}` until its `state` is `ready`.',
    ],
  },
  {
    title: 'WebSocket of devices',
    text: [
      '`/player/socket` is a WebSocket with the subprotocols `ams` and the token of the device. The server sends `{ type: "manifest", version }`, `restart`, `screenshot`, `clear`, `retry`, `takeover` (with its programmes and files) and `takeoverEnded`; the device sends the body of `POST /player/status`.',
    ],
  },
];

/** The subject of each group of calls. */
export const TAGS: Record<keyof Routes | 'uploads', string> = {
  session: 'Log in and out, register, second factor',
  users: 'Users, invitation codes and the audit log',
  colleagues: 'Colleagues: people who act for an account besides its holder',
  home: 'Numbers of the home page and live events',
  devices: 'Devices: list, pair, import, export, screenshots',
  batches: 'Operations on many devices',
  groups: 'Groups of devices: filters with a name',
  files: 'Uploaded videos and pictures, and their content',
  uploads: 'Resumable uploads (tus 1.0.0)',
  ads: 'Ads: playlists per region, and their release',
  releases: 'Releases and their progress on devices',
  takeovers: 'Ads that play at once, above everything else, until an instant',
  campaigns: 'Campaigns: what is free, requests and their approval, bookings',
  reports: 'Reports of what was played',
  search: 'Everything in scope that a text finds',
  scans: 'QR codes of ads: the short links that they hold, and how often they were scanned',
  shares: 'Links that show a report, a wall or a statement to people without an account',
  apps: 'Versions of device software',
  alerts: 'Alerts by e-mail and webhook',
  player: 'Calls of devices',
  service: 'Calls for those who run the installation',
};
