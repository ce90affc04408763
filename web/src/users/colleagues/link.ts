/** The address at which a colleague accepts an invitation. */
export const linkOf = (code: string): string => `${window.location.origin}/register/${encodeURIComponent(code)}`;
