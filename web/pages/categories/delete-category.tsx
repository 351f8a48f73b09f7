import { useState } from 'react';

import { deleteCategory } from '../../../src/features/categories/categories.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import type { Category } from '../../lib/category-color.ts';

interface DeleteCategoryProps {
  category: Category;
  onClose: () => void;
}

/** Deletes a category of the household's own, once it is said where what is in it goes. */
export function DeleteCategory({ category, onClose }: DeleteCategoryProps) {
  const [target, choose] = useState('none');
  const others = [...(useCategories()?.values() ?? [])].filter(({ id, archived }) => id !== category.id && !archived);
  const remove = useApiWrite(deleteCategory, { undo: `Category “${category.name}” deleted`, onSuccess: onClose });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate({ params: { id: category.id }, query: { reassign_to: target } });
      }}
    >
      {remove.error && <ErrorBanner error={remove.error} />}
      <label className="block">
        <span className="mb-1 block font-medium">What is in it goes to</span>
        <select className="field target" value={target} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="none">No category</option>
          {others.map(({ id, name, parent_id: parent }) => (
            <option key={id} value={id}>
              {parent === null ? name : `\u2003${name}`}
            </option>
          ))}
        </select>
      </label>
      <p className="mt-2 text-sm text-muted">Transactions, rules and counterparties follow. This can be undone.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button type="submit" look="danger" busy={remove.isPending}>
          Delete
        </Button>
      </div>
    </form>
  );
}
