import {
  createCounterparty,
  listCounterparties,
} from '../../../src/features/counterparties/counterparties.contract.ts';
import { READ_ONCE } from '../../api/lists.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Combobox, type PickerProps } from './combobox.tsx';
import { noteRecent, recent } from './recent.ts';

const NONE = 'none';

interface CounterpartyPickerProps extends PickerProps<string | null> {
  /** Whether "No counterparty" can be chosen, and a new one made. */
  allowsNone?: boolean;
  allowsNew?: boolean;
}

/** A counterparty by its id; null is none. A new one gets the typed name. */
export function CounterpartyPicker({
  value,
  onPick,
  allowsNone = true,
  allowsNew = true,
  ...rest
}: CounterpartyPickerProps) {
  const { data } = useApiQuery(listCounterparties, {}, READ_ONCE);
  const create = useApiWrite(createCounterparty);
  const mayCreate = useReasonAgainst('full_access') === undefined && allowsNew;
  const make = async (name: string): Promise<string> => (await create.mutateAsync({ body: { name } })).id;
  const options = data && [
    ...data.counterparties.map(({ id, name: label }) => ({ id, label })),
    ...(allowsNone ? [{ id: NONE, label: 'No counterparty' }] : []),
  ];
  return (
    <Combobox
      {...rest}
      options={options}
      first={recent('counterparty')}
      chosen={[value ?? NONE]}
      create={mayCreate ? { what: 'counterparty', run: make } : undefined}
      onPick={(id, via) => {
        if (id !== NONE) noteRecent('counterparty', id);
        onPick(id === NONE ? null : id, via);
      }}
    />
  );
}
