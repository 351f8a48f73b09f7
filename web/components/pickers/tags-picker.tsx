import { listTags, TAG_SLUG } from '../../../src/features/tags/tags.contract.ts';
import { fold } from '../../../src/kernel/fold.ts';
import { READ_ONCE } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { counted } from '../../lib/numbers.ts';
import { Combobox, type PickerProps } from './combobox.tsx';
import { noteRecent, recent } from './recent.ts';

interface TagsPickerProps extends Omit<PickerProps<readonly string[]>, 'onPick'> {
  /** A tag to add, or to take away where it is chosen; it stays open. A tag that does not exist is made by adding it. */
  onToggle: (slug: string, isAdded: boolean) => void;
  /** Whether one that does not exist can be chosen. */
  allowsNew?: boolean;
}

/** Several tags by their slugs. Enter adds or removes one, Escape and Tab end it. */
export function TagsPicker({ value, onToggle, allowsNew = true, ...rest }: TagsPickerProps) {
  const { data } = useApiQuery(listTags, {}, READ_ONCE);
  return (
    <Combobox
      {...rest}
      isMultiple
      options={data?.map(({ slug, name, transaction_count: count }) => ({
        id: slug,
        label: name,
        hint: counted(count, 'transaction'),
      }))}
      first={recent('tag')}
      chosen={value}
      create={allowsNew ? { what: 'tag', refuse: problemOf, run: async (text) => slugOf(text) } : undefined}
      onPick={(slug) => {
        if (!value.includes(slug)) noteRecent('tag', slug);
        onToggle(slug, !value.includes(slug));
      }}
    />
  );
}

/** "Summer 2026" is `summer-2026`. */
function slugOf(text: string): string {
  return fold(text)
    .replaceAll(/[^a-z0-9:]+/g, '-')
    .replaceAll(/^[-:]+|[-:]+$/g, '');
}

function problemOf(text: string): string | undefined {
  return TAG_SLUG.test(slugOf(text)) ? undefined : 'A tag is made of letters from a to z and digits, at most 64.';
}
