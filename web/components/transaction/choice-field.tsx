import type { ReactNode } from 'react';

import { EditInPlace } from '../edit-in-place.tsx';
import type { PickerProps } from '../pickers/combobox.tsx';
import { FieldRow } from './field-row.tsx';
import type { TransactionRecord } from './transaction-row.tsx';
import { whichOf } from './transaction-words.ts';
import type { Edit, Editing } from './use-transaction-edit.ts';

interface ChoiceFieldProps {
  title: string;
  editing: Editing;
  /** Why it cannot be changed. */
  reason: string | undefined;
  valueOf: (record: TransactionRecord) => string | null | undefined;
  nameOf: (id: string | null) => string;
  /** What is sent for a choice, and what the record is then. */
  changes: (id: string | null) => Edit['changes'];
  shown: (before: TransactionRecord, id: string | null) => TransactionRecord;
  renderPicker: (props: PickerProps<string | null>) => ReactNode;
  /** Choosing the present value again says something, too. */
  isDecidedAnew?: boolean;
  /** Called when something else was chosen. */
  onChoose?: (id: string | null) => void;
  aside?: ReactNode;
  note?: ReactNode;
  /** The value as it is read. */
  children: ReactNode;
}

/** A field whose value is one of a list, or none. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { title, editing, reason, valueOf, nameOf, isDecidedAnew = false, children } = props;
  const { record, edit } = editing;
  const field = title.toLowerCase();
  const value = valueOf(record) ?? null;
  const label = `${title} of ${whichOf(record)}`;
  const choose = (id: string | null): void => {
    if (id === value && !isDecidedAnew) return;
    edit({
      field,
      changes: props.changes(id),
      shown: (before) => props.shown(before, id),
      valueOf,
      words: `${title}: ${nameOf(id)}`,
    });
    props.onChoose?.(id);
  };
  return (
    <FieldRow
      field={field}
      title={title}
      editing={editing}
      inWords={(one) => nameOf(valueOf(one) ?? null)}
      aside={props.aside}
      note={props.note}
    >
      <EditInPlace
        label={label}
        disabledReason={reason}
        renderEditor={(end) =>
          props.renderPicker({
            autoFocus: true,
            className: 'flex-1',
            label,
            value,
            onPick: (id) => {
              end();
              choose(id);
            },
            onCancel: end,
          })
        }
      >
        {children}
      </EditInPlace>
    </FieldRow>
  );
}
