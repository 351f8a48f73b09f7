import type { z } from 'zod';

import { listCounterparties } from '../../../../src/features/counterparties/counterparties.contract.ts';
import { listSeries, type SeriesType as Type } from '../../../../src/features/series/series.contract.ts';
import { LIMITS } from '../../../../src/kernel/limits.ts';
import { READ_ONCE } from '../../../api/lists.ts';
import { useApiQuery } from '../../../api/queries.ts';
import { EditInPlace } from '../../../components/edit-in-place.tsx';
import { Combobox } from '../../../components/pickers/combobox.tsx';
import type { Option } from '../../../components/pickers/find-options.ts';
import type { Draft } from './actions.ts';

type SeriesType = z.output<typeof Type>;
type Naming = Extract<Draft, { type: 'assign_series' | 'assign_counterparty' }>;

interface NamedRecordProps {
  action: Naming;
  onChange: (action: Draft) => void;
}

/** A series or counterparty; one that does not exist yet is made when the rule is saved, and not before. */
export function NamedRecord({ action, onChange }: NamedRecordProps) {
  return action.type === 'assign_series' ? (
    <SeriesChoice action={action} onChange={onChange} />
  ) : (
    <CounterpartyChoice action={action} onChange={onChange} />
  );
}

function CounterpartyChoice({
  action,
  onChange,
}: {
  action: Extract<Draft, { type: 'assign_counterparty' }>;
  onChange: (action: Draft) => void;
}) {
  const { data } = useApiQuery(listCounterparties, {}, READ_ONCE);
  return (
    <Choice
      what="counterparty"
      options={data?.counterparties.map(({ id, name: label }) => ({ id, label }))}
      id={action.counterparty_id ?? ''}
      name={action.counterparty_name ?? ''}
      onPick={(id) => onChange({ type: 'assign_counterparty', counterparty_id: id })}
      onNew={(name) => onChange({ type: 'assign_counterparty', counterparty_name: name, create_if_missing: true })}
    />
  );
}

const TYPES: Readonly<Record<SeriesType, string>> = {
  subscription: 'subscription',
  bill: 'bill',
  loan: 'loan',
  other: 'other',
};

function SeriesChoice({
  action,
  onChange,
}: {
  action: Extract<Draft, { type: 'assign_series' }>;
  onChange: (action: Draft) => void;
}) {
  const { data } = useApiQuery(listSeries, {}, READ_ONCE);
  const { series_type: type = 'subscription' } = action;
  return (
    <>
      <Choice
        what="series"
        options={data?.series.map(({ id, name: label, type: hint }) => ({ id, label, hint }))}
        id={action.series_id ?? ''}
        name={action.series_name ?? ''}
        onPick={(id) => onChange({ type: 'assign_series', series_id: id })}
        onNew={(name) =>
          onChange({ type: 'assign_series', series_name: name, create_if_missing: true, series_type: type })
        }
      />
      {action.create_if_missing === true && (
        <select
          aria-label="Type of the new series"
          value={type}
          onChange={({ currentTarget: { value } }) => onChange({ ...action, series_type: value as SeriesType })}
          className="field min-h-9 w-auto! py-1 pointer-coarse:min-h-11"
        >
          {Object.entries(TYPES).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

const NEW = 'new:';

interface ChoiceProps {
  what: 'series' | 'counterparty';
  options: readonly Option[] | undefined;
  id: string;
  name: string;
  onPick: (id: string) => void;
  onNew: (name: string) => void;
}

function Choice({ what, options, id, name, onPick, onNew }: ChoiceProps) {
  const known = options?.find((one) => one.id === id)?.label ?? name;
  const label = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return (
    <span
      data-part="value"
      className="flex min-w-32 flex-1 rounded-control border border-line-strong bg-surface px-3 [&>button]:-my-px"
    >
      <EditInPlace
        label={label}
        renderEditor={(end) => (
          <Combobox
            autoFocus
            className="-mx-3 flex-1"
            label={label}
            options={options}
            chosen={id === '' ? [] : [id]}
            create={{ what, refuse: tooLong, run: async (text) => NEW + text }}
            onPick={(picked) => {
              end();
              if (picked.startsWith(NEW)) onNew(picked.slice(NEW.length));
              else onPick(picked);
            }}
            onCancel={end}
          />
        )}
      >
        {known === '' ? (
          <span className="text-muted">Choose</span>
        ) : (
          <span className="min-w-0 truncate">
            <bdi>{known}</bdi>
            {id === '' && <span className="text-muted"> (made if there is none)</span>}
          </span>
        )}
      </EditInPlace>
    </span>
  );
}

function tooLong(text: string): string | undefined {
  return [...text].length > LIMITS.nameChars ? `A name has at most ${LIMITS.nameChars} characters.` : undefined;
}
