import { type OperationNode, PostgresQueryCompiler, type SelectionNode, SelectQueryNode } from 'kysely';

/** The text of what queries select that are made by `compiledOnce`; empty until it was compiled. */
const texts = new WeakMap<OperationNode, string>();

/**
 * A query that starts with the same long list of columns each time: it is made once for each `db`, and what it selects is
 * turned into text once. Conditions, order and limit are added to it as to any other query.
 */
export function compiledOnce<D extends object, Q extends { toOperationNode(): OperationNode }>(
  make: (db: D) => Q,
): (db: D) => Q {
  const made = new WeakMap<D, Q>();
  return (db) => {
    const known = made.get(db);
    if (known) return known;
    const query = make(db);
    const node = query.toOperationNode();
    if (SelectQueryNode.is(node)) for (const selection of node.selections ?? []) texts.set(selection, '');
    made.set(db, query);
    return query;
  };
}

/** Compiles statements for PostgreSQL, and takes the texts that `compiledOnce` keeps. */
export class KeepingCompiler extends PostgresQueryCompiler {
  protected override visitSelection(node: SelectionNode): void {
    const known = texts.get(node);
    if (known) return this.append(known);
    const start = this.getSql().length;
    const values = this.numParameters;
    super.visitSelection(node);
    // The number of a parameter depends on the parameters before it.
    if (known === '' && this.numParameters === values) texts.set(node, this.getSql().slice(start));
  }
}
