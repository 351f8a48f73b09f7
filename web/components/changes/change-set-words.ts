import type { EntityType } from '../../../src/contract/entity-types.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listChangeSets, revertChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { inDigits } from '../../lib/numbers.ts';

export type ChangeSet = OutputOf<typeof listChangeSets>['change_sets'][number];
export type Reverted = OutputOf<typeof revertChangeSet>;

/** What has become of a change set that is no longer wholly in force. */
const UNDONE: Readonly<Record<ChangeSet['status'], string | undefined>> = {
  applied: undefined,
  partly_reverted: 'Partly undone',
  reverted: 'Undone',
};

/** "Undone" or "Partly undone"; nothing where all of it is in force, or there is nothing. */
export function undoneInWords(status: ChangeSet['status'] | null | undefined): string | undefined {
  return status === null || status === undefined ? undefined : UNDONE[status];
}

/** Through what, in a line about a change set. */
export const SURFACE_WORDS: Readonly<Record<ChangeSet['surface'], string>> = {
  dashboard: 'in the dashboard',
  rest: 'through the API',
  mcp: 'by an agent’s tools',
  workflow: 'in a workflow',
  cli: 'on the command line',
  hosted_link: 'on a link page',
  setup: 'during setup',
  system: 'by Homeledger itself',
};

/** What kind of writer it was. */
export const SOURCE_WORDS: Readonly<Record<ChangeSet['source'], string>> = {
  edit: 'edit',
  rule: 'rules',
  sync: 'sync',
  import: 'import',
  link: 'account link',
  proposal: 'approved proposal',
  revert: 'undo',
  system: 'upkeep',
};

export const ACTOR_WORDS: Readonly<Record<ChangeSet['actor_type'], string>> = {
  user: 'A person',
  agent: 'An agent',
  system: 'Homeledger',
};

const NOUNS: Readonly<Record<EntityType, readonly [one: string, many: string]>> = {
  transaction: ['transaction', 'transactions'],
  comment: ['comment', 'comments'],
  category: ['category', 'categories'],
  tag: ['tag', 'tags'],
  rule: ['rule', 'rules'],
  series: ['series', 'series'],
  counterparty: ['counterparty', 'counterparties'],
  account: ['account', 'accounts'],
  account_link: ['account link', 'account links'],
  transaction_match: ['match', 'matches'],
  connection: ['connection', 'connections'],
  import: ['import', 'imports'],
  import_profile: ['way of reading a file', 'ways of reading files'],
  user: ['member', 'members'],
  login: ['sign-in', 'sign-ins'],
  api_key: ['API key', 'API keys'],
  setting: ['setting', 'settings'],
  notification_channel: ['notification channel', 'notification channels'],
  report: ['report', 'reports'],
  workflow: ['workflow', 'workflows'],
};

export function nounOf(type: string, count = 1): string {
  const [one, many] = NOUNS[type as EntityType] ?? [type.replaceAll('_', ' '), type.replaceAll('_', ' ')];
  return count === 1 ? one : many;
}

/** "Transactions": what a list of them is called. */
export function listNameOf(type: EntityType): string {
  return capitalised(nounOf(type, 2));
}

export const ENTITY_NAMES = Object.keys(NOUNS) as EntityType[];

/** What is done most, for a filter; any other action is said as it is called. */
export const ACTIONS: Readonly<Record<string, string>> = {
  'transactions.update': 'Transactions edited',
  'transactions.bulk_update': 'Many transactions edited',
  'transactions.bulk_recategorize': 'Many transactions recategorised',
  'transaction.category_set': 'Category set',
  'transaction.create': 'Transaction added by hand',
  'transaction.delete': 'Transaction deleted',
  'comment.create': 'Comment written',
  'rules.apply_all': 'All rules applied',
  'rule.apply': 'Rule applied',
  'rule.create': 'Rule made',
  'rule.update': 'Rule changed',
  'proposal.apply': 'Proposal approved',
  'import.create': 'File imported',
  'import.revert': 'Import undone',
  'connection.sync': 'Bank synced',
  'category.create': 'Category made',
  'category.update': 'Category changed',
  'category.merge': 'Categories merged',
  'tag.create': 'Tag made',
  'tag.delete': 'Tag deleted',
  'counterparty.merge': 'Counterparties merged',
  'account.create': 'Account made',
  'account.update': 'Account changed',
  'account.join': 'Accounts joined',
  'account_link.create': 'Accounts linked',
  'report.create': 'Report written',
  'setting.update': 'Setting changed',
  'change_set.revert': 'Change undone',
};

export function actionInWords(action: string): string {
  return ACTIONS[action] ?? capitalised(action.replace('.', ': ').replaceAll('_', ' '));
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Counts = Pick<ChangeSet, 'created_count' | 'updated_count' | 'deleted_count'>;

/** How many records it touched. */
export function sizeOf({ created_count: created, updated_count: updated, deleted_count: deleted }: Counts): number {
  return created + updated + deleted;
}

/** "16 added, 2 changed"; a deleted transaction counts as changed, since it can come back. */
export function countsOfSet({ created_count, updated_count, deleted_count }: Counts): string {
  const parts = [
    [created_count, 'added'],
    [updated_count, 'changed'],
    [deleted_count, 'removed'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${inDigits(count)} ${word}`);
  return said.length === 0 ? 'nothing' : said.join(', ');
}

/** Why a record stays as it is when a change set is undone. */
export const STAYS_WORDS: Readonly<Record<Reverted['skipped'][number]['reason'], string>> = {
  changed_since: 'It has been changed again since.',
  missing: 'It is no longer there.',
  reference_missing: 'What it had before is no longer there.',
  exists: 'Another one has taken its place.',
  in_use: 'It is in use now.',
  not_revertible: 'This kind of change cannot be undone.',
};
