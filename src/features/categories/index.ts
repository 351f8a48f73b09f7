import { createCategory } from './create-category.ts';
import { deleteCategory } from './delete-category.ts';
import { exportCategories } from './export-categories.ts';
import { getCategory } from './get-category.ts';
import { importCategories } from './import-categories.ts';
import { listCategories } from './list-categories.ts';
import { mergeCategory } from './merge-category.ts';
import { putCategory } from './put-category.ts';
import { updateCategory } from './update-category.ts';

export const handlers = [
  listCategories,
  getCategory,
  createCategory,
  updateCategory,
  putCategory,
  deleteCategory,
  mergeCategory,
  exportCategories,
  importCategories,
];

export { findCategory, hasCategories, selectCategories } from './categories.queries.ts';
export { inTreeOrder, toCategory } from './categories.table.ts';
export { providerMapping, type ProviderCategory, type ProviderMapping } from './provider-mapping.ts';
export { seedCategories } from './seed-categories.ts';
export { undo } from './undo-categories.ts';
