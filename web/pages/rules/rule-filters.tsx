import { z } from 'zod';

import type { CallOf } from '../../../src/contract/operation.ts';
import type { listRules } from '../../../src/features/rules/rules.contract.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { READ_ONCE, useCategories } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { FilterBar, FilterSelect, FilterText, optionsOf, type useFilters } from '../../components/filters.tsx';
import { AUTHOR_WORDS } from '../../components/rule/rule-words.ts';

const STATES = {
  on: { label: 'On', asked: { enabled: 'true', expired: 'false' } },
  off: { label: 'Off', asked: { enabled: 'false' } },
  never: { label: 'Never matched', asked: { never_matched: 'true' } },
  expired: { label: 'Expired', asked: { expired: 'true' } },
} as const;

/** What the address has. */
export const Search = z.object({
  search: z.string(),
  category_slug: z.string(),
  tag: z.string(),
  state: z.enum(['on', 'off', 'never', 'expired']),
  creator_type: z.enum(['user', 'agent', 'system']),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];
export type Asked = NonNullable<CallOf<typeof listRules>['query']>;

/** The filters as the API takes them. */
export function inAsked({ state, ...others }: Chosen): Asked {
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return { ...given, ...(state === undefined ? {} : STATES[state].asked) };
}

interface RuleFiltersProps {
  values: Chosen;
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

export function RuleFilters({ values, onChange, onClear }: RuleFiltersProps) {
  const categories = [...(useCategories()?.values() ?? [])];
  const { data: tags = [] } = useApiQuery(listTags, {}, READ_ONCE);
  return (
    <FilterBar onClear={onClear}>
      <FilterText
        label="Name"
        value={values.search}
        placeholder="Part of the name"
        onChange={(search) => onChange({ search })}
      />
      <FilterSelect
        label="Sets the category"
        all="Any"
        value={values.category_slug}
        options={withOwn(
          categories.map(({ slug, name, parent_id: parent }) => ({
            value: slug,
            label: parent === null ? name : `\u2003${name}`,
          })),
          values.category_slug,
        )}
        onChange={(slug) => onChange({ category_slug: slug })}
      />
      <FilterSelect
        label="Sets the tag"
        all="Any"
        value={values.tag}
        options={withOwn(
          tags.map(({ slug, name }) => ({ value: slug, label: name })),
          values.tag,
        )}
        onChange={(tag) => onChange({ tag })}
      />
      <FilterSelect
        label="State"
        all="All"
        value={values.state}
        options={optionsOf(STATES, ({ label }) => label)}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label="Made by"
        all="Anybody"
        value={values.creator_type}
        options={optionsOf(AUTHOR_WORDS, (label) => label)}
        onChange={(type) => onChange({ creator_type: type })}
      />
    </FilterBar>
  );
}

/** What a link asked for is shown as chosen, also while the list is on its way. */
function withOwn(options: readonly { value: string; label: string }[], own: string | undefined) {
  return own === undefined || options.some(({ value }) => value === own)
    ? options
    : [...options, { value: own, label: own }];
}
