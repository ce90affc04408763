/** Settings whose value nobody may read off a screen or a log. */
const SECRET_SETTINGS = [
  'DATABASE_URL',
  'SMTP_URL',
  'AMS_ADMIN_PASSWORD',
  'AMS_ENROLMENT_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

/** Shorter parts of an address identify nothing and occur in ordinary text. */
const PIECE_MIN = 4;

/** A value as it is, what an address is made of, and both decoded: libraries quote all of them. */
function formsOf(value: string): string[] {
  const pieces = /^[a-z]+:\/\//i.test(value) ? value.replace(/^[a-z]+:/i, '').split(/[/:@?#&=]+/) : [];
  const decoded = [value, ...pieces].map((text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  });
  return [value, ...pieces, ...decoded].filter(({ length }) => length >= PIECE_MIN);
}

/** A message of a library, which may quote what it was given, without the values of secret settings. */
export function withoutSecrets(text: string, environment: NodeJS.ProcessEnv): string {
  const named = SECRET_SETTINGS.flatMap((name) => formsOf(environment[name] ?? '').map((form) => ({ name, form })));
  // The whole before its parts.
  const longestFirst = named.toSorted((a, b) => b.form.length - a.form.length);
  return longestFirst.reduce((cleaned, { name, form }) => cleaned.replaceAll(form, `[${name}]`), text);
}
