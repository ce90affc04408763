/**
 * Offsets, and the short names of old Java, which are no IANA names: PostgreSQL reads offsets the other way round
 * (POSIX), takes `IST` for Israel, and refuses `VST`.
 */
const IS_NO_PLACE =
  /^(?:[+-].*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|US\/Pacific-New)$/i;

/** Whether clocks of a time zone by this name can be read here. */
export function isKnownZone(name: string): boolean {
  try {
    // Not kept, and nothing formatted, which would take ten times the memory: anybody may ask for any number of names.
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Whether a time zone is known by this name, here and to PostgreSQL. */
export const isTimeZone = (name: string): boolean => !IS_NO_PLACE.test(name) && isKnownZone(name);

/** The time zone of this computer; undefined if it has no IANA name: Chromium then reports `Etc/Unknown` or an offset. */
export function ownTimeZone(): string | undefined {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : undefined;
}
