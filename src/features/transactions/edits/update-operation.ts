import {
  addTag,
  clearFlag,
  removeTag,
  resetCategory,
  setAttribution,
  setCategory,
  setCounterparty,
  setFlag,
  setSeries,
  type Editor,
  type Facets,
} from '../../facets/index.ts';
import type { AutomaticCategory } from './automatic-category.ts';
import { editMetadata, type MetadataPaths } from './edit-metadata.ts';
import type { Actions } from '../transaction-bulk.contract.ts';
import type { References } from './resolve-references.ts';

const PATHS: MetadataPaths = { replace: 'metadata_set', unset: 'metadata_unset', set: 'metadata_set' };

export interface Circumstances {
  editor: Editor;
  references: References;
  /** What rules and provider decide, for an operation that resets the category. */
  automatic: AutomaticCategory | undefined;
  now: string;
  /** The name of the field with the metadata to set, for errors; `metadata_set` unless given. */
  metadataPath?: string;
}

/**
 * The facets after one operation; the same object if nothing changes. The order is that of contract 10.6.2. The comment
 * of the operation is left to the caller.
 * @throws INVALID_PARAMETER, VALIDATION_ERROR
 */
export function applyOperation(before: Facets, operation: Actions, circumstances: Circumstances): Facets {
  const { editor, references, automatic, now } = circumstances;
  let facets = before;
  if (operation.category_id !== undefined || operation.category_slug !== undefined) {
    facets = setCategory(facets, editor, references.category(operation));
  }
  if (automatic) facets = resetCategory(facets, automatic);
  if (operation.counterparty_id !== undefined) {
    facets = setCounterparty(facets, editor, references.counterparty(operation.counterparty_id));
  }
  if (operation.series_id !== undefined) {
    facets = setSeries(facets, editor, references.series(operation.series_id));
  }
  if (operation.attributed_user_id !== undefined) {
    facets = setAttribution(facets, editor, references.member(operation.attributed_user_id));
  }
  for (const name of operation.tags_to_add ?? []) facets = addTag(facets, editor, references.tagToAdd(name));
  for (const name of operation.tags_to_remove ?? []) facets = removeTag(facets, editor, references.tagToRemove(name));
  const metadata = { unset: operation.metadata_unset, set: operation.metadata_set };
  const { metadataPath: set = PATHS.set } = circumstances;
  facets = editMetadata(facets, editor, metadata, { ...PATHS, set });
  if (operation.flagged === true) facets = setFlag(facets, editor, now);
  if (operation.flagged === false) facets = clearFlag(facets, editor);
  return facets;
}
