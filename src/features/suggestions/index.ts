export { undo } from './undo-acceptance.ts';
export { proveAccounts, type Proof } from './prove-accounts.ts';
export { storeSuggestions, suggestSameAccount, type NewSuggestion, type SameAccount } from './store-suggestions.ts';
export { selectSeparated } from './suggestions.queries.ts';
export { countOpenSuggestions } from './list-suggestions.ts';
export { leftToJoins } from './links-of-joins.ts';
