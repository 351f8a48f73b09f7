import type { z } from 'zod';

import type { RuleAction } from '../../../../src/features/rules/rule-language.contract.ts';

/** An action as the API takes it; while it is being written, its values may be empty. */
export type Draft = z.input<typeof RuleAction>;
export type ActionType = Draft['type'];

export const ACTION_NAMES: Readonly<Record<ActionType, string>> = {
  set_category: 'Set the category',
  add_tag: 'Add the tag',
  remove_tag: 'Remove the tag',
  assign_counterparty: 'Set the counterparty',
  assign_series: 'Put into the series',
  flag: 'Flag it',
  unflag: 'Take the flag off',
  add_comment: 'Add a comment',
  set_metadata: 'Set metadata',
  remove_metadata: 'Remove metadata',
};

const FRESH: { readonly [T in ActionType]: Extract<Draft, { type: T }> } = {
  set_category: { type: 'set_category', category_slug: '' },
  add_tag: { type: 'add_tag', tag_slug: '' },
  remove_tag: { type: 'remove_tag', tag_slug: '' },
  assign_counterparty: { type: 'assign_counterparty', counterparty_id: '' },
  assign_series: { type: 'assign_series', series_id: '' },
  flag: { type: 'flag' },
  unflag: { type: 'unflag' },
  add_comment: { type: 'add_comment', content: '' },
  set_metadata: { type: 'set_metadata', metadata_key: '', metadata_value: '' },
  remove_metadata: { type: 'remove_metadata', metadata_key: '' },
};

export function freshAction(type: ActionType): Draft {
  return { ...FRESH[type] };
}

/** Whether everything is chosen that an action needs; whether that is right, the server says. */
export function isChosen(action: Draft): boolean {
  switch (action.type) {
    case 'set_category':
      return isGiven(action.category_slug) || isGiven(action.category_id);
    case 'add_tag':
    case 'remove_tag':
      return action.tag_slug !== '';
    case 'assign_counterparty':
      return isGiven(action.counterparty_id) || isGiven(action.counterparty_name);
    case 'assign_series':
      return isGiven(action.series_id) || isGiven(action.series_name);
    case 'set_metadata':
    case 'remove_metadata':
      return action.metadata_key !== '';
    case 'add_comment':
      return action.content.trim() !== '';
    case 'flag':
    case 'unflag':
      break;
  }
  return true;
}

function isGiven(text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text !== '';
}
