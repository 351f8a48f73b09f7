import type { Rule, StoredAction } from './definition.ts';
import { leavesOf } from './definition.ts';
import type { RuleRow } from './row.ts';

/** A part of a row that has to be read for rules to be evaluated. */
export type RowPart = keyof RuleRow;

/** The parts of a row on which the outcome of these rules can depend; no other needs to be read. */
export function partsRead(rules: readonly Pick<Rule, 'condition' | 'actions'>[]): Set<RowPart> {
  const parts = new Set<RowPart>();
  for (const { condition, actions } of rules) {
    for (const { field } of leavesOf(condition)) for (const part of partsOfField(field)) parts.add(part);
    for (const action of actions) for (const part of partsOfAction(action)) parts.add(part);
  }
  return parts;
}

const DATE: readonly RowPart[] = ['date'];

const PARTS: ReadonlyMap<string, readonly RowPart[]> = new Map<string, readonly RowPart[]>([
  ['name', ['name']],
  ['merchant_name', ['merchantName']],
  ['amount', ['amountCents']],
  ['amount_abs', ['amountCents']],
  ['iso_currency_code', ['isoCurrencyCode']],
  ['pending', ['pending']],
  ['provider', ['provider']],
  ['payment_channel', ['paymentChannel']],
  ['provider_category_primary', ['providerCategoryPrimary']],
  ['provider_category_detailed', ['providerCategoryDetailed']],
  ['category', ['categoryId']],
  ['category_kind', ['categoryId']],
  ['account_id', ['accountId']],
  ['account_name', ['accountName']],
  ['account_type', ['accountType']],
  ['user_id', ['userId']],
  ['user_name', ['userName']],
  ['tags', ['tags']],
  ['series', ['seriesId']],
  ['in_series', ['seriesId']],
  ['counterparty', ['counterpartyId']],
  ['has_counterparty', ['counterpartyId']],
  ['day_of_month', DATE],
  ['month', DATE],
  ['day_of_week', DATE],
  ['day_of_year', DATE],
  ['date', DATE],
]);

function partsOfField(field: string): readonly RowPart[] {
  return PARTS.get(field) ?? ['metadata'];
}

function partsOfAction({ type }: StoredAction): readonly RowPart[] {
  switch (type) {
    case 'set_category':
      return ['categoryId', 'categorySource', 'locks'];
    case 'add_tag':
    case 'remove_tag':
      return ['tags', 'locks'];
    case 'assign_series':
      return ['seriesId', 'locks'];
    case 'assign_counterparty':
      return ['counterpartyId', 'locks'];
    case 'set_metadata':
    case 'remove_metadata':
      return ['metadata', 'locks'];
    case 'flag':
    case 'unflag':
      return ['flagged', 'locks'];
    case 'add_comment':
      return [];
    default:
      return type satisfies never;
  }
}
