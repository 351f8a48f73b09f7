import { handleWrite } from '../handler.ts';
import { updateCategory as operation } from './categories.contract.ts';
import { changeCategory } from './change-category.ts';

export const updateCategory = handleWrite(operation, 'category.update', async ({ tx }, { params, body }) =>
  changeCategory(tx, params.id, body),
);
