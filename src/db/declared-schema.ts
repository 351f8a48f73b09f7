import type { Migration } from './migrate.ts';
import { migrations } from './migrations/index.ts';

/** A column whose values are those of a column of another table. */
export interface Reference {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
}

export interface DeclaredIndex {
  name: string;
  table: string;
  /** As a migration has it, with the types of `render`. */
  statement: string;
}

const TABLE = /^\s*(?:create|alter) table (?:if not exists )?(\w+)/;
const MADE = /^\s*create table (?:if not exists )?(\w+)/;
const DROPPED = /^\s*drop table (\w+)/;
const INDEX = /^\s*create (?:unique )?index (?:if not exists )?(\w+)\s+on (\w+)/;
const REFERENCE = /(\w+) \{\w+\}[^,]*?references (\w+)\s*\((\w+)\)/g;

/**
 * The references that rows must keep, as the migrations declare them for both engines: PostgreSQL checks some by
 * triggers, which a bulk load may go past.
 */
export function declaredReferences(steps: readonly Pick<Migration, 'statements'>[] = migrations): Reference[] {
  return steps.flatMap(({ statements }) =>
    statements.flatMap((statement) => {
      const table = TABLE.exec(statement)?.[1];
      if (table === undefined) return [];
      return [...statement.matchAll(REFERENCE)].map(([, column, parent, parentColumn]) => ({
        table,
        column: String(column),
        parent: String(parent),
        parentColumn: String(parentColumn),
      }));
    }),
  );
}

/** The tables of the program, in an order in which each comes after those it refers to. */
export function declaredTables(): string[] {
  const statements = migrations.flatMap((step) => step.statements);
  const made = statements.flatMap((statement) => MADE.exec(statement)?.[1] ?? []);
  return made.filter((table) => !statements.some((statement) => DROPPED.exec(statement)?.[1] === table));
}

/** The indexes that a database of this engine must have, with what makes them anew. */
export function declaredIndexes(engine: 'sqlite' | 'postgres'): DeclaredIndex[] {
  const statements = migrations.flatMap((step) => [...step.statements, ...(step[engine] ?? [])]);
  return statements.flatMap((statement) => {
    const found = INDEX.exec(statement);
    return found ? [{ name: String(found[1]), table: String(found[2]), statement }] : [];
  });
}
