export { findCategory, hasCategories, selectCategories } from './categories.queries.ts';
export { inTreeOrder, toCategory } from './categories.table.ts';
export { providerMapping, type ProviderCategory, type ProviderMapping } from './provider-mapping.ts';
export { seedCategories } from './seed-categories.ts';
export { undo } from './undo-categories.ts';
