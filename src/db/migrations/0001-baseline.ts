import type { Migration } from '../migrate.ts';
import { accounts } from './baseline/accounts.ts';
import { agents } from './baseline/agents.ts';
import { facets, textsOfPostgres, textsOfSqlite } from './baseline/facets.ts';
import { identity } from './baseline/identity.ts';
import { imports } from './baseline/imports.ts';
import { journal } from './baseline/journal.ts';
import { referencesOfPostgres } from './baseline/references-of-postgres.ts';
import { sync } from './baseline/sync.ts';
import { totalsOfPostgres } from './baseline/totals-of-postgres.ts';
import { totalsOfSqlite } from './baseline/totals-of-sqlite.ts';
import { totals } from './baseline/totals.ts';
import { transactions } from './baseline/transactions.ts';
import { workflows } from './baseline/workflows.ts';

/** The schema that the first release has: a table comes after the tables it refers to. */
export const baseline: Migration = {
  version: 1,
  name: 'baseline',
  statements: [
    ...identity,
    ...accounts,
    ...facets,
    ...imports,
    ...transactions,
    ...journal,
    ...sync,
    ...agents,
    ...workflows,
    ...totals,
  ],
  sqlite: [...textsOfSqlite, ...totalsOfSqlite],
  postgres: [...textsOfPostgres, ...totalsOfPostgres, ...referencesOfPostgres],
};
