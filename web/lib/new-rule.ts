import type { CallOf } from '../../src/contract/operation.ts';
import type { createRule } from '../../src/features/rules/rules.contract.ts';

export type RuleInput = NonNullable<CallOf<typeof createRule>['body']>;

/** What the editor of a new rule begins with. */
export type RuleStart = Partial<RuleInput>;

/** The search of `/rules/new`, for links of the router. */
export function newRuleSearch(start: RuleStart): { start: string } {
  return { start: JSON.stringify(start) };
}

/** The page with a new rule that begins like this; nothing is stored before it is saved. */
export function newRuleAddress(start?: RuleStart): string {
  return start === undefined ? '/rules/new' : `/rules/new?${new URLSearchParams(newRuleSearch(start)).toString()}`;
}

const PARTS: ReadonlySet<string> = new Set<keyof RuleInput>([
  'name',
  'enabled',
  'priority',
  'condition',
  'actions',
  'triggers',
  'overwrite_manual',
  'stop',
  'expires_at',
]);

/** What an address says of a new rule; what is no part of one is left out, and so is what cannot be read. */
export function readStart(text: string | undefined): RuleStart {
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([name]) => PARTS.has(name))) as RuleStart;
  } catch {
    return {};
  }
}
