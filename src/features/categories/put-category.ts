import { handleWrite } from '../handler.ts';
import { putCategory as operation } from './categories.contract.ts';
import { changeCategory } from './change-category.ts';

export const putCategory = handleWrite(operation, 'category.update', async ({ tx }, { params, body }) =>
  changeCategory(tx, params.id, body),
);
