export {
  addTag,
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
export type { CategorySource, DeletedCause, Editor, FacetKey, Facets } from './facets.ts';
export { loadFacets, loadFacetsByAnyId, locksOf, metadataOf } from './facets.queries.ts';
export { changeReferring, detachFromAll } from './move-facets.ts';
export { changesByWriter, writeFacets, type FacetEdit } from './write-facets.ts';
export { isDeliveredField } from './delivered-fields.ts';
export { undo } from './undo-transactions.ts';
export { linkTransactions, unlinkTransaction, type Binding } from './link-transactions.ts';
export { countLiveReferring, countReferring } from './references.queries.ts';
