/** The time zone of this computer; undefined if it is not known, for which browsers have a name that they refuse. */
export function ownTimeZone(): string | undefined {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}
