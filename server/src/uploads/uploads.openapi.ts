import { APP_UPLOAD_KIND, type ErrorName, UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import type { OwnPaths } from '../platform/http/openapi/document.ts';
import type { JsonSchema } from '../platform/http/openapi/schemas.ts';
import { CHECKSUM_ALGORITHMS, CHECKSUM_MISMATCH, EXTENSIONS, TUS_VERSION } from './protocol.ts';

type ErrorResponses = Parameters<OwnPaths>[0];

const TEXT = { type: 'string' };
const BYTES = { type: 'integer', minimum: 0 };
const BINARY = { type: 'string', format: 'binary' };
const OCTETS = { 'application/offset+octet-stream': { schema: BINARY } };

const sent = (name: string, description: string, schema: JsonSchema = TEXT, required = false): JsonSchema => ({
  ...{ name, in: 'header', description, schema },
  ...(required && { required }),
});
const given = (description: string, schema: JsonSchema = TEXT): JsonSchema => ({ description, schema });

const VERSION = sent('tus-resumable', 'Version of the protocol', { const: TUS_VERSION }, true);
const CHECKSUM = sent(
  'upload-checksum',
  `Algorithm (${CHECKSUM_ALGORITHMS.join(', ')}), a space, and the hash in Base64`,
);
const OVERRIDE = 'A POST with `x-http-method-override: PATCH` (HEAD, DELETE) means the same.';

const METADATA = [
  'Pairs of a key and its value in Base64, separated by commas. `name` or `filename`: name of the file, required.',
  '`orientation` (vertical, horizontal) and `kind` (1–5): without them, the content decides. `owner`: id of the user who',
  'owns the file; default: the caller.',
  `\`kind\` = \`${APP_UPLOAD_KIND}\` uploads an app (leading users; \`content\`, \`forced\`, \`istype\`).`,
  'Other keys are ignored.',
].join(' ');

const OFFSET = given('Number of bytes that are stored', BYTES);
const EXPIRES = given(`When the unfinished upload is removed: ${UPLOAD_EXPIRY_HOURS} hours after its last byte`);
const FILE_ID = given('If the upload is complete: id of the file or app');
const RESUMABLE = given('Version of the protocol', { const: TUS_VERSION });

/** Any call of a user. */
const CALLER: readonly ErrorName[] = ['INVALID', 'UNAUTHENTICATED', 'TOO_MANY', 'INTERNAL', 'UNAVAILABLE'];
const PROTOCOL: readonly ErrorName[] = [...CALLER, 'NOT_FOUND', 'PRECONDITION_FAILED'];
/** The refusals by length, name or content. */
const CONTENT: readonly ErrorName[] = [
  ...([
    'FORBIDDEN_USER',
    'LEADING_ONLY',
    'CHANGED_MEANWHILE',
    'TOO_LARGE',
    'UNSUPPORTED_FORMAT',
    'WRONG_KIND',
  ] as const),
  ...(['TOO_MANY_PIXELS', 'QUOTA_EXCEEDED', 'NOT_AN_APK', 'APK_UNSIGNED', 'APK_SIGNATURE_BROKEN'] as const),
  ...(['APK_SIGNATURE_UNSUPPORTED', 'OTHER_SIGNER', 'VERSION_NOT_NEWER', 'STORAGE_FULL'] as const),
];

const mismatch = { [CHECKSUM_MISMATCH]: { description: 'The bytes differ from `upload-checksum` and are not stored' } };
const gone = { 410: { description: 'The upload has expired' } };

const call = (name: string, summary: string, rest: JsonSchema): JsonSchema => ({
  ...{ operationId: `uploads.${name}`, summary, tags: ['uploads'], security: [{ user: [] }] },
  ...rest,
});

const creation = (errors: ErrorResponses): JsonSchema =>
  call('create', 'Begin an upload, perhaps with its first bytes', {
    description: 'With `idempotency-key`, one upload is created however often the request is repeated.',
    parameters: [
      VERSION,
      sent('upload-length', 'Size of the whole file in bytes', BYTES, true),
      sent('upload-metadata', METADATA, TEXT, true),
      CHECKSUM,
      { $ref: '#/components/parameters/IdempotencyKey' },
    ],
    requestBody: { content: OCTETS },
    responses: {
      201: {
        description: 'Created',
        headers: {
          'location': given('Address of the upload'),
          'upload-offset': OFFSET,
          'upload-expires': EXPIRES,
          'file-id': FILE_ID,
          'tus-resumable': RESUMABLE,
        },
      },
      ...mismatch,
      ...errors.of([...PROTOCOL, ...CONTENT, 'TOO_MANY_UPLOADS', 'IDEMPOTENCY_KEY_REUSED', 'OUTCOME_UNKNOWN']),
    },
  });

const state = (errors: ErrorResponses): JsonSchema =>
  call('describe', 'How much of an upload is stored', {
    parameters: [VERSION],
    responses: {
      200: {
        description: 'The upload exists',
        headers: {
          'upload-offset': OFFSET,
          'upload-length': given('Size of the whole file in bytes', BYTES),
          'upload-metadata': given('Metadata as they were sent'),
          'upload-expires': EXPIRES,
          'file-id': FILE_ID,
          'tus-resumable': RESUMABLE,
        },
      },
      ...gone,
      ...errors.of(PROTOCOL),
    },
  });

const part = (errors: ErrorResponses): JsonSchema =>
  call('append', 'Send more bytes', {
    description: OVERRIDE,
    parameters: [VERSION, sent('upload-offset', 'Offset of the first byte of this part', BYTES, true), CHECKSUM],
    requestBody: { required: true, content: OCTETS },
    responses: {
      204: {
        description: 'Stored',
        headers: { 'upload-offset': OFFSET, 'upload-expires': EXPIRES, 'file-id': FILE_ID, 'tus-resumable': RESUMABLE },
      },
      ...gone,
      ...mismatch,
      ...errors.of([...PROTOCOL, ...CONTENT]),
    },
  });

const end = (errors: ErrorResponses): JsonSchema =>
  call('terminate', 'Give an unfinished upload up', {
    parameters: [VERSION],
    responses: { 204: { description: 'Removed' }, ...errors.of(PROTOCOL) },
  });

const options = (name: string, errors: ErrorResponses): JsonSchema => ({
  ...call(name, 'What the server supports', {}),
  security: [],
  responses: {
    204: {
      description: 'Version, extensions and limits',
      headers: {
        'tus-version': given('Supported version', { const: TUS_VERSION }),
        'tus-extension': given('Supported extensions', { const: EXTENSIONS.join(',') }),
        'tus-max-size': given('Largest upload in bytes', BYTES),
        'tus-checksum-algorithm': given('Supported algorithms', { const: CHECKSUM_ALGORITHMS.join(',') }),
      },
    },
    ...errors.of(['INVALID']),
  },
});

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };

/** The protocol tus in the OpenAPI document. */
export const uploadPaths: OwnPaths = (errors) => ({
  '/uploads': { post: creation(errors), options: options('options', errors) },
  '/uploads/{id}': {
    parameters: [ID],
    head: state(errors),
    patch: part(errors),
    delete: end(errors),
    options: options('optionsOfOne', errors),
  },
});
