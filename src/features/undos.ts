import type { EntityUndos } from '../journal/undo.ts';
import { accountLinks, countedWithoutLink, leftToLinks, undoneWithLink } from './account-links/index.ts';
import { categories } from './categories/index.ts';
import { comments } from './comments/index.ts';
import { connections } from './connections/index.ts';
import { counterparties } from './counterparties/index.ts';
import { undo as facets } from './facets/index.ts';
import { importProfiles } from './import-profiles/index.ts';
import { undo as imports } from './imports/index.ts';
import { reports } from './reports/index.ts';
import { rules } from './rules/index.ts';
import { series } from './series/index.ts';
import { leftToJoins, undo as accounts } from './suggestions/index.ts';
import { tags } from './tags/index.ts';
import { undo as transactionMatches } from './transaction-matches/index.ts';
import { workflows } from './workflows/index.ts';

/** How each type of entity is undone. The order is that in which they are asked for the rows an import created. */
export const undos: EntityUndos = new Map(
  [
    undoneWithLink(facets),
    comments.undo,
    leftToLinks(countedWithoutLink(accounts)),
    leftToJoins(accountLinks.undo),
    undoneWithLink(transactionMatches),
    connections.undo,
    categories.undo,
    tags.undo,
    series.undo,
    counterparties.undo,
    rules.undo,
    reports.undo,
    workflows.undo,
    imports,
    importProfiles.undo,
  ].map((undo) => [undo.entityType, undo]),
);
