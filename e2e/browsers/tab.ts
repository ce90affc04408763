/** One page of a browser that Playwright does not drive, with what a person does on it. */
export interface Tab {
  goto(address: string): Promise<void>;
  /** The value of a JavaScript expression in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** Chooses a file for a file field. */
  choose(selector: string, file: string): Promise<void>;
  /** What the page did against its Content Security Policy, as far as the driver can tell. */
  violations(): string[];
  /** What it shows, as PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A browser as Debian packages it. */
export interface Browser {
  name: string;
  /** Whether all that is needed is installed. */
  isInstalled: boolean;
  /** Whether pages can store files of any size (origin private file system, written by a worker). */
  stores: boolean;
  /** Starts the browser anew with a profile of its own. */
  open(viewport: { width: number; height: number }): Promise<Tab>;
}

/** A call of a function in the page, as an expression. Arguments are JSON. */
export const callOf = <A extends unknown[]>(inPage: (...args: A) => unknown, ...args: A): string =>
  `(${inPage.toString()})(...${JSON.stringify(args)})`;
