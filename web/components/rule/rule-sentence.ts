import { conditionInWords, readCondition } from './condition-words.ts';
import type { RuleNames } from './rule-names.ts';
import { inText, typed, type Parts, type SayMoney } from './sentence-parts.ts';

/** What the sentence is made of: a stored rule, a suggested one, or one that is being written. */
export interface Sayable {
  condition: unknown;
  actions: readonly unknown[];
}

export interface Sentence {
  /** "When the text contains *rewe*". */
  when: Parts;
  /** "Groceries, tag *food*". */
  what: Parts;
}

export function sentenceOf({ condition, actions }: Sayable, names: RuleNames): Sentence {
  const node = readCondition(condition);
  const when = node.kind === 'all' ? ['Every transaction'] : ['When ', ...conditionInWords(node, names)];
  const what = actions.flatMap((action, index) => [...(index === 0 ? [] : [', ']), ...actionInWords(action, names)]);
  return { when, what: what.length === 0 ? ['nothing yet'] : what };
}

/** "When the text contains “rewe” → Groceries, tag food": for titles. */
export function sentenceInText(rule: Sayable, names: RuleNames, sayMoney: SayMoney): string {
  const { when, what } = sentenceOf(rule, names);
  return `${inText(when, sayMoney)} → ${inText(what, sayMoney)}`;
}

/** As returned, as sent, or as the journal keeps it: with ids instead of slugs and names. */
function actionInWords(action: unknown, names: RuleNames): Parts {
  const of = (action ?? {}) as Readonly<Record<string, unknown>>;
  const text = (field: string): string => (typeof of[field] === 'string' ? of[field] : '');
  const named = (name: string, id: string, nameOf: (id: string) => string): Parts => [
    { kind: 'name', text: text(name) || nameOf(text(id)) },
  ];
  switch (of['type']) {
    case 'set_category':
      return [names.category(text('category_slug') || text('category_id'))];
    case 'add_tag':
      return ['tag ', { kind: 'name', text: names.tag(text('tag_slug') || text('tag_id')) }];
    case 'remove_tag':
      return ['remove the tag ', { kind: 'name', text: names.tag(text('tag_slug') || text('tag_id')) }];
    case 'assign_series':
      return ['series ', ...named('series_name', 'series_id', names.series)];
    case 'assign_counterparty':
      return ['counterparty ', ...named('counterparty_name', 'counterparty_id', names.counterparty)];
    case 'set_metadata':
      return ['set metadata ', typed(text('metadata_key')), ' to ', valueOf(of['metadata_value'])];
    case 'remove_metadata':
      return ['remove metadata ', typed(text('metadata_key'))];
    case 'flag':
      return ['flag it'];
    case 'unflag':
      return ['remove the flag'];
    case 'add_comment':
      return ['comment ', typed(text('content').replaceAll(/\s+/g, ' '))];
    default:
      return [text('type').replaceAll('_', ' ')];
  }
}

function valueOf(value: unknown) {
  return typeof value === 'string' ? typed(value) : typed(JSON.stringify(value ?? null));
}
