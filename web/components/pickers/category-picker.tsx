import { createCategory, type CategoryKind } from '../../../src/features/categories/categories.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import type { Category } from '../../lib/category-color.ts';
import { CategorySign } from '../transaction/category-chip.tsx';
import { Combobox, type PickerProps } from './combobox.tsx';
import type { Option } from './find-options.ts';
import { noteRecent, recent } from './recent.ts';

interface CategoryPickerProps extends PickerProps<string | null> {
  /** The ids of those that are likely, the likeliest first; what was picked last comes after them. */
  likely?: readonly string[];
  /** Whether "No category" can be chosen, and a new one made. */
  allowsNone?: boolean;
  allowsNew?: boolean;
  /** The kind of a new one. */
  newKind?: CategoryKind;
}

const NO_CATEGORY = 'none';

/** A category by its id; null is deliberately none. */
export function CategoryPicker(props: CategoryPickerProps) {
  const { value, onPick, likely = [], allowsNone = true, allowsNew = true, newKind = 'expense', ...rest } = props;
  const all = useCategories();
  const create = useApiWrite(createCategory);
  const mayCreate = useReasonAgainst('full_access') === undefined && allowsNew;
  const make = async (name: string): Promise<string> => {
    return (await create.mutateAsync({ body: { name, kind: newKind } })).id;
  };
  return (
    <Combobox
      {...rest}
      options={all && optionsOf(all, value, allowsNone)}
      first={[...likely, ...recent('category')]}
      chosen={[value ?? NO_CATEGORY]}
      create={mayCreate ? { what: 'category', run: make } : undefined}
      onPick={(id, via) => {
        if (id !== NO_CATEGORY) noteRecent('category', id);
        onPick(id === NO_CATEGORY ? null : id, via);
      }}
    />
  );
}

/** Archived ones are no choice, but the present one is in the list whatever it is. */
function optionsOf(all: ReadonlyMap<string, Category>, value: string | null, allowsNone: boolean): Option[] {
  const shown = [...all.values()].filter(({ id, archived }) => !archived || id === value);
  const none = { id: NO_CATEGORY, label: 'No category', leading: <CategorySign /> };
  return [
    ...shown.map((category) => {
      const parent = category.parent_id === null ? undefined : all.get(category.parent_id);
      return {
        id: category.id,
        label: category.name,
        leading: <CategorySign id={category.id} />,
        isIndented: parent !== undefined,
        ...(parent ? { hint: parent.name } : {}),
      };
    }),
    ...(allowsNone ? [none] : []),
  ];
}
