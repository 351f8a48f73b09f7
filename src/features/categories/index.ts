import { listCategories } from './list-categories.ts';

export const handlers = [listCategories];

export { hasCategories, selectCategories } from './categories.queries.ts';
export { inTreeOrder, toCategory } from './categories.table.ts';
export { seedCategories } from './seed-categories.ts';
