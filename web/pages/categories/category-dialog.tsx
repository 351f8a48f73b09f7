import { Dialog } from '../../components/dialog.tsx';
import type { CategoryAction } from './categories-page.tsx';
import { EditCategory, NewCategory } from './category-forms.tsx';
import { DeleteCategory } from './delete-category.tsx';
import { Exchange } from './exchange.tsx';
import { MergeCategory } from './merge-category.tsx';

interface CategoryDialogProps {
  action: CategoryAction;
  onClose: () => void;
}

/** The dialog of whatever is done to a category. */
export function CategoryDialog({ action, onClose }: CategoryDialogProps) {
  return (
    <Dialog open title={titleOf(action)} onClose={onClose}>
      {action.kind === 'exchange' && <Exchange onClose={onClose} />}
      {action.kind === 'new' && <NewCategory parent={action.parent} onClose={onClose} />}
      {action.kind === 'edit' && <EditCategory category={action.category} onClose={onClose} />}
      {action.kind === 'merge' && <MergeCategory category={action.category} onClose={onClose} />}
      {action.kind === 'delete' && <DeleteCategory category={action.category} onClose={onClose} />}
    </Dialog>
  );
}

function titleOf(action: CategoryAction): string {
  if (action.kind === 'exchange') return 'Categories as a table';
  if (action.kind === 'new') return action.parent ? `New category below ${action.parent.name}` : 'New category';
  const { name } = action.category;
  return { edit: `Edit ${name}`, merge: `Merge ${name} into another`, delete: `Delete ${name}?` }[action.kind];
}
