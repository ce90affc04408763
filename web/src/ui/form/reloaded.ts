import { session } from '../../platform/session.ts';
import { personId } from './kept.ts';

/**
 * States that are there again when the browser loads the page of its tab again: a phone that is short of memory ends a
 * hidden page while its person takes a photo, say. `script` is the address of the script that shows them. Its name changes
 * with its content, so that no other version reads them, for which they may have another shape. A key begins with the id
 * of its person, whose log-out removes them from the tab.
 */
export class Reloaded<S> extends Map<string, S> {
  readonly #prefix: string;

  constructor(script: string) {
    super();
    this.#prefix = `ams_form ${script} `;
  }

  override get(key: string): S | undefined {
    return super.get(key) ?? this.#read(key);
  }

  override set(key: string, state: S): this {
    // A form is left because of a log-out after that has removed all from the tab.
    if (session.snapshot().signedIn && key.startsWith(`${personId()} `)) {
      attempt(() => sessionStorage.setItem(this.#prefix + key, JSON.stringify(state)));
    }
    return super.set(key, state);
  }

  override delete(key: string): boolean {
    attempt(() => sessionStorage.removeItem(this.#prefix + key));
    return super.delete(key);
  }

  #read(key: string): S | undefined {
    const stored = attempt(() => sessionStorage.getItem(this.#prefix + key));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this version of the script has stored it
    return stored ? (JSON.parse(stored) as S) : undefined;
  }
}

/** A browser may refuse storage altogether, or more of it. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
