export {
  addTag,
  blankFacets,
  clearFlag,
  editorOf,
  removeTag,
  resetCategory,
  setAttribution,
  setCategory,
  setCounterparty,
  setFlag,
  setMetadata,
  setSeries,
  unsetMetadata,
} from './facets.ts';
export type { DeletedCause, Editor, FacetKey, Facets } from './facets.ts';
export { attachTagsTo, facetColumns, loadFacets, loadFacetsByAnyId, locksOf, metadataOf } from './facets.queries.ts';
export { changeReferring, detachFromAll } from './write-facets.ts';
export { changesByWriter, memberNames, writeFacets, type FacetEdit } from './write-facets.ts';
export { DELIVERED_COLUMNS, deliveredFieldsOf, isDeliveredField } from './delivered-fields.ts';
export type { DeliveredColumn, DeliveredRow } from './delivered-fields.ts';
export { BY_HAND, insertEntered, type EnteredValues } from './entered-rows.ts';
export { effectKeeper, effectsOf } from './creation-effects.queries.ts';
export { handValues } from './handed-values.ts';
export { bringBackListed, listsLiveRows } from './listed-elsewhere.ts';
export { mergeTransactions } from './merge-transactions.ts';
export { takeApart } from './undo-merges.ts';
export { splitTransaction } from './split-transaction.ts';
export { undo } from './undo-transactions.ts';
export { getLiveTransactions, linkTransactions, unlinkTransaction, unlinkTransactions } from './link-transactions.ts';
export { countLiveReferring, countReferring, selectOfDeletedAccounts } from './facets.queries.ts';
