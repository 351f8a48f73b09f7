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
      <Content action={action} onClose={onClose} />
    </Dialog>
  );
}

function titleOf(action: CategoryAction): string {
  switch (action.kind) {
    case 'exchange':
      return 'Categories as a table';
    case 'new':
      return action.parent ? `New category below ${action.parent.name}` : 'New category';
    case 'edit':
      return `Edit ${action.category.name}`;
    case 'merge':
      return `Merge ${action.category.name} into another`;
    case 'delete':
      return `Delete ${action.category.name}?`;
  }
}

function Content({ action, onClose }: CategoryDialogProps) {
  switch (action.kind) {
    case 'exchange':
      return <Exchange onClose={onClose} />;
    case 'new':
      return <NewCategory parent={action.parent} onClose={onClose} />;
    case 'edit':
      return <EditCategory category={action.category} onClose={onClose} />;
    case 'merge':
      return <MergeCategory category={action.category} onClose={onClose} />;
    case 'delete':
      return <DeleteCategory category={action.category} onClose={onClose} />;
  }
}
