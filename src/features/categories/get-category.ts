import { handleRead } from '../handler.ts';
import { getCategory as operation } from './categories.contract.ts';
import { toCategory } from './categories.table.ts';
import { categoryNamed } from './find-category.ts';

export const getCategory = handleRead(operation, async ({ tx }, { params }) =>
  toCategory(await categoryNamed(tx, params.id)),
);
