export { categories } from './categories.entity.ts';
export { findCategory, selectCategories, selectCategoriesNamed } from './categories.queries.ts';
export { providerMapping, type ProviderCategory, type ProviderMapping } from './provider-mapping.ts';
export { seedCategories } from './seed-categories.ts';
