export { categories, type CategoryRecord } from './categories.entity.ts';
export { findCategory, selectCategories, selectCategoriesNamed } from './categories.queries.ts';
export { providerMapping, type ProviderMapping } from './provider-mapping.ts';
export type { ProviderCategory } from './provider-slugs.ts';
export { remapCategories, rememberMapping } from './remap-categories.ts';
export { seedCategories } from './seed-categories.ts';
