export { undo } from './undo-acceptance.ts';
export { storeSuggestions, suggestSameAccount, type NewSuggestion } from './store-suggestions.ts';
