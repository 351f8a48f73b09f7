import { z } from 'zod';

import type { OutputOf } from '../../../contract/operation.ts';
import { validationError } from '../../../kernel/errors.ts';
import { fold } from '../../../kernel/fold.ts';
import {
  Category,
  CategoryKind,
  createCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '../../categories/categories.contract.ts';
import type { WriteContext } from '../../handler.ts';
import { clearArgument, withCleared } from '../parts/clear.ts';
import { callOperation, foundOrNull } from '../call-operation.ts';
import { reuseNamed } from '../parts/reuse-named.ts';
import { defineWriteTool } from '../tool.ts';

type CategoryRecord = OutputOf<typeof getCategory>;

export const saveCategory = defineWriteTool({
  name: 'save_category',
  title: 'Create or change a category',
  description:
    'With category_id: changes that category; name renames it. Without: creates a category with this name under ' +
    'parent_id, or at the top level. If the parent already has a category with this name, returns that one with ' +
    '`created` false; the same name under another parent is a different category.',
  action: 'category.update',
  isProposable: true,
  isIdempotent: true,
  input: {
    category_id: z.string().optional().meta({ description: 'Id or slug' }),
    name: z.string().optional(),
    parent_id: z.string().nullable().optional().meta({ description: 'Id or slug; null: top level' }),
    kind: z.enum(CategoryKind.options).optional(),
    icon: z.string().nullable().optional(),
    color: z.string().nullable().optional().meta({ description: '#rrggbb' }),
    sort_order: z.int().optional(),
    archived: z.boolean().optional(),
    clear: clearArgument(['parent', 'icon', 'color']),
  },
  output: { category: Category, created: z.boolean() },
  errors: ['CONFLICT'],
  operations: ['createCategory', 'updateCategory'],
  examples: [{ arguments: { name: 'Babysitter', kind: 'expense' }, says: 'Create a category at the top level.' }],
  run: async (context, { category_id: id, name, archived, clear, ...sent }) => {
    const { parent_id, kind, icon, color, sort_order } = sent;
    const fields = withCleared({ parent_id, kind, icon, color, sort_order }, clear, { parent: ['parent_id'] });
    const update = (known: string, body: object) =>
      callOperation(context, updateCategory, { params: { id: known }, body });
    if (id !== undefined) return { category: await update(id, { ...fields, name, archived }), created: false };
    if (name === undefined) throw validationError('name', 'name: is required, unless you send category_id.');
    const stored = await findNamesake(context, name, fields.parent_id ?? '');
    if (stored) {
      await reuseNamed(context, 'category', stored, { ...fields, archived }, (body) => update(stored.id, body));
      return { category: stored, created: false };
    }
    const made = await callOperation(context, createCategory, { body: { ...fields, name } });
    const category = archived === true ? await update(made.id, { archived }) : made;
    context.tx.journal.refine({ action: 'category.create' });
    return { category, created: true };
  },
});

/** The category with this name under this parent. An unknown parent is left to the operation that creates. */
async function findNamesake(
  context: WriteContext,
  name: string,
  anyParent: string,
): Promise<CategoryRecord | undefined> {
  const named = anyParent.trim();
  const parent =
    named === '' ? null : await foundOrNull(callOperation(context, getCategory, { params: { id: named } }));
  if (parent === null && named !== '') return undefined;
  const all = await callOperation(context, listCategories, {});
  const parentId = parent?.id ?? null;
  return all.find((one) => one.parent_id === parentId && fold(one.name) === fold(name.trim()));
}
