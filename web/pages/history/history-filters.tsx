import { X } from 'lucide-react';
import { z } from 'zod';

import { useMembers } from '../../api/lists.ts';
import { Button } from '../../components/button.tsx';
import {
  actionInWords,
  ACTIONS,
  ACTOR_WORDS,
  capitalised,
  ENTITY_NAMES,
  listNameOf,
  SOURCE_WORDS,
  SURFACE_WORDS,
} from '../../components/changes/change-set-words.ts';
import { FilterBar, FilterDay, FilterSelect, optionsOf, type useFilters } from '../../components/filters.tsx';

/** The names of the API; a list in the address has commas, and the server says what it does not know. */
export const Search = z.object({
  actor_type: z.string(),
  actor_id: z.string(),
  surface: z.string(),
  source: z.string(),
  action: z.string(),
  entity_type: z.string(),
  entity_id: z.string(),
  transaction_id: z.string(),
  import_id: z.string(),
  sync_log_id: z.string(),
  workflow_run_id: z.string(),
  rule_id: z.string(),
  from: z.string(),
  to: z.string(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];

interface HistoryFiltersProps {
  values: Chosen;
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

export function HistoryFilters({ values, onChange, onClear }: HistoryFiltersProps) {
  return (
    <>
      <FilterBar onClear={onClear}>
        <Who values={values} onChange={onChange} />
        <Choice
          label="Through"
          options={optionsOf(SURFACE_WORDS, capitalised)}
          value={values.surface}
          onChange={(surface) => onChange({ surface })}
        />
        <Choice
          label="Kind"
          options={optionsOf(SOURCE_WORDS, capitalised)}
          value={values.source}
          nameOf={(value) => (value === NOT_SYNC ? 'All but syncs' : value)}
          extra={NOT_SYNC}
          onChange={(source) => onChange({ source })}
        />
        <Choice
          label="What was done"
          options={optionsOf(ACTIONS, (words) => words)}
          value={values.action}
          nameOf={actionInWords}
          onChange={(action) => onChange({ action })}
        />
        <Choice
          label="To what"
          options={ENTITY_NAMES.map((value) => ({ value, label: listNameOf(value) }))}
          value={values.entity_type}
          onChange={(type) => onChange({ entity_type: type, entity_id: undefined })}
        />
        <FilterDay label="From" value={values.from?.slice(0, 10)} onChange={(from) => onChange({ from })} />
        <FilterDay label="To" value={values.to?.slice(0, 10)} onChange={(to) => onChange({ to })} />
      </FilterBar>
      <OnlyAbout values={values} onChange={onChange} />
    </>
  );
}

const NOT_SYNC = 'edit,rule,import,link,proposal,revert,system';

interface ChoiceProps {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string | undefined;
  /** What a value is called that is not among the options: the address can have any. */
  nameOf?: (value: string) => string;
  /** Always offered, first. */
  extra?: string;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, options, value, nameOf = (text) => text, extra, onChange }: ChoiceProps) {
  const known = extra === undefined ? options : [{ value: extra, label: nameOf(extra) }, ...options];
  const isKnown = value === undefined || known.some((one) => one.value === value);
  const all = isKnown ? known : [...known, { value, label: nameOf(value) }];
  return <FilterSelect label={label} all="All" value={value} options={all} onChange={onChange} />;
}

/** People by name, agents and Homeledger by kind; another actor of the address is one of its kind. */
function Who({ values: { actor_id: id, actor_type: type }, onChange }: Omit<HistoryFiltersProps, 'onClear'>) {
  const members = useMembers() ?? [];
  const options = [
    ...members.map((one) => ({ value: `id ${one.short_id}`, label: one.name })),
    ...optionsOf(ACTOR_WORDS, (words) => words).map((one) => ({ ...one, value: `type ${one.value}` })),
  ];
  const value = id !== undefined ? `id ${id}` : type !== undefined ? `type ${type}` : undefined;
  return (
    <Choice
      label="Who"
      options={options}
      value={value}
      nameOf={(text) => (text.startsWith('id ') ? 'One key, bank or workflow' : text.slice('type '.length))}
      onChange={(chosen) => {
        const [kind, which] = chosen?.split(' ') ?? [];
        onChange({ actor_id: kind === 'id' ? which : undefined, actor_type: kind === 'type' ? which : undefined });
      }}
    />
  );
}

const ONLY = {
  transaction_id: 'One transaction',
  entity_id: 'One record',
  import_id: 'One import',
  sync_log_id: 'One sync',
  workflow_run_id: 'One run',
  rule_id: 'One rule',
} as const;

/** What a link asked for, which no field of the bar can show. */
function OnlyAbout({ values, onChange }: Omit<HistoryFiltersProps, 'onClear'>) {
  const set = (Object.keys(ONLY) as (keyof typeof ONLY)[]).filter((name) => values[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <ul aria-label="Only what is about" className="mb-4 flex flex-wrap gap-2">
      {set.map((name) => (
        <li key={name}>
          <Button
            icon={X}
            aria-label={`Not only ${ONLY[name].toLowerCase()}`}
            onClick={() => onChange({ [name]: undefined })}
          >
            {ONLY[name]}
          </Button>
        </li>
      ))}
    </ul>
  );
}
