import type { ReferenceKind } from '../../../../src/engines/rules/language.ts';
import { useCategories } from '../../../api/lists.ts';
import { EditInPlace } from '../../../components/edit-in-place.tsx';
import {
  AccountPicker,
  CategoryPicker,
  CounterpartyPicker,
  MemberPicker,
  SeriesPicker,
  TagsPicker,
} from '../../../components/pickers/later-pickers.tsx';
import { useRuleNames } from '../../../components/rule/use-rule-names.ts';
import { CategoryChip } from '../../../components/transaction/category-chip.tsx';

interface RecordValueProps {
  kind: ReferenceKind;
  label: string;
  /** As the API returns it: a slug or an id (40.7); empty for none yet. */
  value: unknown;
  onChange: (value: string) => void;
  describedBy?: string | undefined;
  placeholder?: string;
  /** Whether a tag that does not exist yet can be chosen: it is made when the rule is saved. */
  allowsNew?: boolean;
  isOpenAtFirst?: boolean;
}

/** A record by its name, which becomes a field with a list when it is pressed. */
export function RecordValue({
  kind,
  label,
  value,
  onChange,
  describedBy,
  placeholder = 'Choose',
  allowsNew = false,
  isOpenAtFirst = false,
}: RecordValueProps) {
  const known = typeof value === 'string' ? value : '';
  return (
    <span
      className="flex min-w-32 flex-1 rounded-control border border-line-strong bg-surface px-3 [&>button]:-my-px has-[[aria-invalid=true]]:border-danger"
      data-part="value"
    >
      <EditInPlace
        label={label}
        isOpenAtFirst={isOpenAtFirst}
        renderEditor={(end) => (
          <RecordPicker
            kind={kind}
            label={label}
            value={known}
            allowsNew={allowsNew}
            onPick={(picked) => {
              end();
              if (picked !== '') onChange(picked);
            }}
            onCancel={end}
          />
        )}
      >
        <span aria-describedby={describedBy} className="min-w-0 truncate">
          {known === '' ? <span className="text-muted">{placeholder}</span> : <Named kind={kind} value={known} />}
        </span>
      </EditInPlace>
    </span>
  );
}

function Named({ kind, value }: { kind: ReferenceKind; value: string }) {
  const nameOf = useNameOf(kind);
  const category = useCategoryOf(value);
  return kind === 'category' && category ? <CategoryChip category={category} /> : <bdi>{nameOf(value)}</bdi>;
}

/** By slug, as rules have it, or by id. */
export function useCategoryOf(value: string) {
  const all = useCategories();
  return all?.get(value) ?? [...(all?.values() ?? [])].find(({ slug }) => slug === value);
}

/** The names of one kind of records. */
export function useNameOf(kind: ReferenceKind): (value: string) => string {
  const names = useRuleNames();
  if (kind === 'category') {
    return (value) => {
      const part = names.category(value);
      return typeof part === 'object' && 'text' in part ? part.text : value;
    };
  }
  return kind === 'user' ? names.member : names[kind];
}

interface RecordPickerProps {
  kind: ReferenceKind;
  label: string;
  value: string;
  allowsNew: boolean;
  /** Empty where none is chosen. */
  onPick: (value: string) => void;
  onCancel: () => void;
}

function RecordPicker({ kind, value, allowsNew, onPick, ...rest }: RecordPickerProps) {
  const all = useCategories();
  const category = useCategoryOf(value);
  const common = { ...rest, autoFocus: true, className: 'flex-1 -mx-3' };
  const pick = (id: string | null): void => onPick(id ?? '');
  switch (kind) {
    case 'category':
      return (
        <CategoryPicker
          {...common}
          value={category?.id ?? null}
          allowsNone={false}
          allowsNew={false}
          onPick={(id) => pick(all?.get(id ?? '')?.slug ?? id)}
        />
      );
    case 'tag':
      return <TagsPicker {...common} value={[value]} allowsNew={allowsNew} onToggle={(slug) => pick(slug)} />;
    case 'account':
      return <AccountPicker {...common} value={value} onPick={pick} />;
    case 'user':
      return <MemberPicker {...common} value={value} onPick={pick} />;
    case 'series':
      return <SeriesPicker {...common} value={value} allowsNone={false} onPick={pick} />;
    case 'counterparty':
      return <CounterpartyPicker {...common} value={value} allowsNone={false} allowsNew={false} onPick={pick} />;
    default:
      return kind satisfies never;
  }
}
