import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listRules } from '../../../src/features/rules/rules.contract.ts';

export type Rule = OutputOf<typeof listRules>['rules'][number];

/** On which occasions a rule runs, in the order in which the API lists them. */
export const TRIGGER_WORDS: Readonly<Record<Rule['triggers'][number], { short: string; long: string }>> = {
  sync: { short: 'New and changed', long: 'On transactions that a bank or file brings or changes' },
  create: { short: 'New', long: 'On new transactions, also those entered by hand' },
  retroactive: { short: 'Apply all', long: 'On all transactions, when all rules are applied' },
  manual: { short: 'By hand', long: 'On all transactions, when this rule alone is applied by hand' },
};

export const AUTHOR_WORDS: Readonly<Record<Rule['creator_type'], string>> = {
  user: 'A person',
  agent: 'An agent',
  system: 'Homeledger',
};

/** It came with the product: it can be switched off, not deleted (40.11). */
export function isSeeded({ creator_type: type, creator_id: id }: Rule): boolean {
  return type === 'system' && id === null;
}

/** From its moment of expiry on it does nothing. */
export function isExpired({ expires_at: at }: Pick<Rule, 'expires_at'>, nowMs: number): boolean {
  return at !== null && Date.parse(at) <= nowMs;
}
