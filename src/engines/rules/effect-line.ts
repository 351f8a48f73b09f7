import type { Catalog } from './catalog.ts';
import type { StoredAction } from './definition.ts';
import { isWithin } from './json.ts';

const SHOWN_CHARS = 60;

/** The actions of a rule in one line, for people. */
export function effectLine(actions: readonly StoredAction[], catalog: Catalog): string {
  return actions.map((action) => describe(action, catalog)).join('; ');
}

function describe(action: StoredAction, catalog: Catalog): string {
  switch (action.type) {
    case 'set_category':
      return `set category ${catalog.categories.get(action.category_id)?.slug ?? action.category_id}`;
    case 'add_tag':
      return `add tag ${catalog.tags.get(action.tag_id) ?? action.tag_id}`;
    case 'remove_tag':
      return `remove tag ${catalog.tags.get(action.tag_id) ?? action.tag_id}`;
    case 'assign_series':
      return `assign series ${shorten(catalog.series.get(action.series_id) ?? action.series_id)}`;
    case 'assign_counterparty':
      return `assign counterparty ${shorten(catalog.counterparties.get(action.counterparty_id) ?? action.counterparty_id)}`;
    case 'set_metadata':
      return `set metadata ${shorten(action.metadata_key)} to ${shorten(JSON.stringify(action.metadata_value))}`;
    case 'remove_metadata':
      return `remove metadata ${shorten(action.metadata_key)}`;
    case 'flag':
    case 'unflag':
      return action.type;
    case 'add_comment':
    default:
      return `add comment ${shorten(JSON.stringify(action.content))}`;
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return isWithin(line, SHOWN_CHARS) ? line : `${Array.from(line).slice(0, SHOWN_CHARS).join('')}…`;
}
