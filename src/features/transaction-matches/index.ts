export { reconcileLink, releaseLink, type Reconciliation } from './reconcile.ts';
export { refreshAttribution, settleAttribution } from './attribution.ts';
export { matchedOn, planMatches, type Pairing } from './plan-matches.ts';
export {
  countMatches,
  countRows,
  findSpan,
  isBaseRow,
  isUnmatched,
  selectUnmatched,
  unmatchedRows,
  type Span,
} from './link-counts.queries.ts';
export { selectMatches, selectMatchesOf } from './match-records.queries.ts';
export { selectMatchesById } from './stored-matches.queries.ts';
export { undo } from './undo-matches.ts';
export { endMatches } from './end-matches.ts';
export { reconcileAfter, reconcileAfterWrite, reconcileNow } from './reconcile-after.ts';
