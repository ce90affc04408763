import type { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from './database.ts';

/** Maximum number of texts of one kind of query that are kept. */
const FORMS_MAX = 200;

/** Both query builders and raw statements of Kysely are such. */
interface Compilable<O> {
  compile(db: Db): CompiledQuery<O>;
}

/** Stands in a compiled query for a value that each run has its own of. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Runs a query that comes with every other request, whose text is compiled once for each `form`. `make` gets a slot in
 * the place of each of the `values`: it may only hand them on to the query as values. Anything else that the query
 * depends on must be in `form`. Values that are undefined have no slot.
 */
export type RunForm = <V extends Record<string, unknown>, O>(
  db: Db,
  form: string,
  values: V,
  make: (slots: V) => Compilable<O>,
) => Promise<O[]>;

export function compiledForms(): RunForm {
  const known = new LRUCache<string, CompiledQuery>({ max: FORMS_MAX });
  return async <V extends Record<string, unknown>, O>(
    db: Db,
    form: string,
    values: V,
    make: (slots: V) => Compilable<O>,
  ): Promise<O[]> => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined);
    const key = `${names.join(' ')} ${form}`;
    let compiled = known.get(key);
    if (!compiled) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- queries only pass their values on
      const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as V;
      compiled = make(slots).compile(db);
      known.set(key, compiled);
    }
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    const { rows } = await db.executeQuery<O>({ ...compiled, parameters });
    return rows;
  };
}
