import { Plus, X } from 'lucide-react';
import { useState } from 'react';

import { LIMITS } from '../../../src/kernel/limits.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, IconButton } from '../button.tsx';
import { EditInPlace, TextInPlace } from '../edit-in-place.tsx';
import { FieldRow } from './field-row.tsx';
import type { TransactionRecord } from './transaction-row.tsx';
import { whichOf } from './transaction-words.ts';
import type { Edit, Editing } from './use-transaction-edit.ts';

/** What programs and people noted on the transaction, by its keys. */
export function MetadataTable({ editing }: { editing: Editing }) {
  const { record } = editing;
  const right = useReasonAgainst('full_access');
  const reason = record.deleted_at === null ? right : 'Restore the transaction first.';
  return (
    <>
      <dl>
        {Object.keys(record.metadata ?? {})
          .toSorted()
          .map((key) => (
            <MetadataRow key={key} name={key} editing={editing} reason={reason} />
          ))}
      </dl>
      <NewKey editing={editing} reason={reason} />
    </>
  );
}

interface MetadataRowProps {
  name: string;
  editing: Editing;
  reason: string | undefined;
}

function MetadataRow({ name, editing, reason }: MetadataRowProps) {
  const { record, edit } = editing;
  const value = record.metadata?.[name];
  const label = `${name} of ${whichOf(record)}`;
  return (
    <FieldRow
      field={fieldOf(name)}
      title={name}
      editing={editing}
      inWords={(one) => textOf(one.metadata?.[name])}
      aside={
        <IconButton icon={X} label={`Remove ${name}`} disabledReason={reason} onClick={() => edit(removalOf(name))} />
      }
    >
      <EditInPlace
        label={label}
        disabledReason={reason}
        renderEditor={(end) => (
          <TextInPlace
            label={label}
            value={textOf(value)}
            onSave={(text) => {
              end();
              edit(changeOf(name, typedLike(value, text)));
            }}
            onCancel={end}
          />
        )}
      >
        <bdi className="py-1 wrap-anywhere">{textOf(value)}</bdi>
      </EditInPlace>
    </FieldRow>
  );
}

function NewKey({ editing, reason }: Omit<MetadataRowProps, 'name'>) {
  const [isOpen, setOpen] = useState(false);
  const [[key, value], setTyped] = useState(['', '']);
  const isReady = key.trim() !== '';
  const end = (): void => {
    setOpen(false);
    setTyped(['', '']);
  };
  if (!isOpen) {
    return (
      <Button look="quiet" icon={Plus} disabledReason={reason} onClick={() => setOpen(true)}>
        Add a value
      </Button>
    );
  }
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        editing.edit(changeOf(key.trim(), value));
        end();
      }}
    >
      {(['Name', 'Value'] as const).map((title, at) => (
        <label key={title} className="min-w-32 flex-1 text-sm text-muted">
          {title}
          <input
            className="field target"
            maxLength={at === 0 ? LIMITS.metadataKeyChars : undefined}
            value={at === 0 ? key : value}
            data-autofocus={at === 0 || undefined}
            onChange={({ currentTarget: { value: typed } }) => setTyped(at === 0 ? [typed, value] : [key, typed])}
          />
        </label>
      ))}
      <Button type="submit" look="primary" disabledReason={isReady ? undefined : 'Type its name first.'}>
        Add
      </Button>
      <Button onClick={end}>Cancel</Button>
    </form>
  );
}

function fieldOf(key: string): string {
  return `metadata.${key}`;
}

function changeOf(key: string, value: unknown): Edit {
  return {
    field: fieldOf(key),
    changes: { metadata_set: { [key]: value } },
    shown: (before) => ({ ...before, metadata: { ...before.metadata, [key]: value } }),
    valueOf: valueOf(key),
    words: `${key} changed`,
  };
}

function removalOf(key: string): Edit {
  return {
    field: fieldOf(key),
    changes: { metadata_unset: [key] },
    shown: (before) => {
      const { [key]: _, ...others } = before.metadata ?? {};
      return { ...before, metadata: others };
    },
    valueOf: valueOf(key),
    words: `${key} removed`,
  };
}

function valueOf(key: string): Edit['valueOf'] {
  return ({ metadata }: TransactionRecord) => metadata?.[key];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** A number stays a number: what was no text is read like what it was, where that is possible. */
function typedLike(before: unknown, text: string): unknown {
  if (typeof before === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
