const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** A piece of HTML whose texts are escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapeHtml(String(part));
};

/**
 * Tagged template: what is put in is escaped, unless it is HTML made the same way. It is not called `html`, because
 * formatters change the spaces of what they take for HTML, which the hash of a style sheet covers.
 */
export const markup = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((before, text, index) => before + textOf(parts[index - 1] ?? '') + text));
