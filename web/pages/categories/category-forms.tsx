import { useWatch } from 'react-hook-form';

import { createCategory, getCategory, updateCategory } from '../../../src/features/categories/categories.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { Select, type Option } from '../../components/choice-fields.tsx';
import { ColorField } from '../../components/color-field.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { sentSlug, SlugField, withSlug } from '../../components/slug-field.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import type { Category } from '../../lib/category-color.ts';
import { GLYPH_NAMES } from '../../lib/category-glyphs.ts';

const body = withSlug(createCategory.body);

const KINDS: Option[] = [
  { value: 'expense', label: 'Spending' },
  { value: 'income', label: 'Income' },
  { value: 'transfer', label: 'Transfer between own accounts' },
];

/** What a form holds is text. */
function valuesOf({ name, parent_id: parent, kind, icon, color }: Category) {
  return { name, parent_id: parent ?? '', kind, icon: icon ?? '', color: color ?? '' };
}

interface NewCategoryProps {
  parent: Category | null;
  onClose: () => void;
}

export function NewCategory({ parent, onClose }: NewCategoryProps) {
  const create = useApiWrite(createCategory, { undo: ({ name }) => `Category “${name}” made`, onSuccess: onClose });
  const form = useOperationForm(
    { body },
    {
      defaults: {
        name: '',
        parent_id: parent?.id ?? '',
        kind: parent?.kind ?? 'expense',
        icon: '',
        color: '',
        slug: '',
      },
      guarded: true,
      send: ({ slug, ...others }) => create.mutateAsync({ body: { ...others, ...sentSlug({ slug }) } }),
    },
  );
  return (
    <Form form={form} submit="Make the category" onCancel={onClose}>
      <CategoryFields />
      <SlugField />
    </Form>
  );
}

interface EditCategoryProps {
  category: Category;
  onClose: () => void;
}

export function EditCategory({ category, onClose }: EditCategoryProps) {
  const record = useApiRecord(getCategory, { params: { id: category.id } });
  return (
    <Loaded query={record} lines={8}>
      {(known) => <EditForm known={known} reread={record.reread} onClose={onClose} />}
    </Loaded>
  );
}

interface EditFormProps {
  known: KnownRecord<Category>;
  reread: () => Promise<KnownRecord<Category>>;
  onClose: () => void;
}

function EditForm({ known, reread, onClose }: EditFormProps) {
  const update = useApiWrite(updateCategory, { undo: 'Category changed', onSuccess: onClose });
  const record = inFields({ known, reread }, valuesOf);
  const form = useOperationForm(updateCategory, {
    defaults: record.values,
    record,
    guarded: true,
    send: (body, ifMatch) => update.mutateAsync({ params: { id: known.value.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <CategoryFields own={known.value.id} />
    </Form>
  );
}

function CategoryFields({ own }: { own?: string }) {
  const all = [...(useCategories()?.values() ?? [])];
  const hasParent = useWatch({ name: 'parent_id' }) !== '';
  const parents = all.filter(({ id, parent_id: parent, archived }) => parent === null && id !== own && !archived);
  const isParent = all.some(({ parent_id: parent }) => parent === own && own !== undefined);
  return (
    <>
      <TextField name="name" label="Name" autoComplete="off" />
      <Select
        name="parent_id"
        label="Below"
        options={[
          { value: '', label: 'None: at the top' },
          ...parents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        disabledReason={isParent ? 'It has categories below it, and the tree has two levels.' : undefined}
      />
      <Select name="kind" label="Kind" options={KINDS} />
      <Select
        name="icon"
        label="Sign"
        options={[{ value: '', label: 'None' }, ...GLYPH_NAMES.map((name) => ({ value: name, label: wordsOf(name) }))]}
      />
      <ColorField name="color" label="Colour" none={hasParent ? 'A shade of the one above' : 'Choose one for me'} />
    </>
  );
}

/** "shopping-cart" is "Shopping cart". */
function wordsOf(name: string): string {
  const words = name.replaceAll('-', ' ').replace(/ 2$/, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
