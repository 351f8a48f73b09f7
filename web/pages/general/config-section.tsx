import type { ReactNode } from 'react';
import { useFormState, useWatch, type Control } from 'react-hook-form';
import { z } from 'zod';

import {
  getConfigEntry,
  listConfig,
  resetConfigEntry,
  setConfigEntry,
  type ConfigEntry,
} from '../../../src/features/config/config.contract.ts';
import { api, ApiError } from '../../api/client.ts';
import { queryClient, queryOptions, refresh, useApiWrite } from '../../api/queries.ts';
import { Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { Stale, type Stored } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';

type Entry = z.output<typeof ConfigEntry>;

/** A setting in the words of a household. */
export interface ConfigField {
  key: string;
  label: string;
  hint?: string;
  type?: 'url' | 'number';
  /** The values to choose from; without them, it is a line of text. */
  options?: readonly string[];
  /** What to say of a value while it is typed. */
  advice?: (value: string) => ReactNode;
  /** What having no value of its own means. */
  none?: string;
}

interface ConfigSectionProps {
  title: string;
  about: string;
  fields: readonly ConfigField[];
  entries: readonly Entry[];
}

type Texts = Readonly<Record<string, string>>;

const TEXTS = { body: z.record(z.string(), z.string()) };

/** A field and the setting that it shows. */
interface Known {
  field: ConfigField;
  entry: Entry;
  name: string;
}

/** Settings that are saved together; each one is a setting of its own on the server. Emptying one brings its default back. */
export function ConfigSection({ title, about, fields, entries }: ConfigSectionProps) {
  const known = fields.flatMap((field) => {
    const entry = entries.find(({ key }) => key === field.key);
    return entry ? [{ field, entry, name: nameOf(field.key) }] : [];
  });
  const form = useConfigForm(known, entries);
  const isFixed = known.every(({ entry }) => entry.source === 'env');
  return (
    <Section title={title} about={about}>
      <Form
        form={form}
        submit={`Save ${title.toLowerCase()}`}
        disabledReason={isFixed ? 'Set by environment variables on the server.' : undefined}
      >
        {known.map(({ field, entry, name }) => (
          <ConfigInput key={name} name={name} field={field} entry={entry} />
        ))}
      </Form>
      {/* Below the button: it must not move away from under the pointer. */}
      {known.map(
        ({ field, name }) =>
          field.advice && <Advice key={name} control={form.control} name={name} about={field.advice} />,
      )}
    </Section>
  );
}

/** Each setting has an ETag of its own: what the fields were filled from is compared one by one. */
function useConfigForm(known: readonly Known[], entries: readonly Entry[]) {
  const set = useApiWrite(setConfigEntry, { refreshes: [] });
  const reset = useApiWrite(resetConfigEntry, { refreshes: [] });
  const read = (all: readonly Entry[]): Stored<Texts> => {
    const values = fieldsOf(known, all);
    return { values, etag: JSON.stringify(values) };
  };
  const reread = async (): Promise<Stored<Texts>> =>
    read(await queryClient.fetchQuery({ ...queryOptions(listConfig, {}), staleTime: 0 }));

  async function saveChanged(values: Texts, filledFrom: Texts): Promise<void> {
    for (const { name, entry } of known) {
      const value = values[name] ?? '';
      if (value === filledFrom[name] || entry.source === 'env') continue;
      const params = { key: entry.key };
      try {
        const { value: now, etag } = await api.send(getConfigEntry, { params }, { isAsked: true });
        if (storedValue(now) !== filledFrom[name]) throw new Stale();
        const guarded = { params, ifMatch: etag ?? undefined };
        await (value === '' ? reset.mutateAsync(guarded) : set.mutateAsync({ ...guarded, body: { value } }));
      } catch (error) {
        throw atField(error, name);
      }
    }
  }

  async function save(values: Texts, ifMatch: string | undefined): Promise<void> {
    try {
      await saveChanged(values, JSON.parse(ifMatch ?? '{}') as Texts);
      showToast('Saved.');
    } finally {
      await refresh([listConfig]);
    }
  }

  const record = read(entries);
  return useOperationForm(TEXTS, {
    defaults: record.values,
    record: { ...record, reread },
    send: save,
    guarded: true,
  });
}

function fieldsOf(known: readonly Known[], all: readonly Entry[]): Texts {
  return Object.fromEntries(
    known.flatMap(({ entry, name }) => {
      const now = all.find(({ key }) => key === entry.key);
      return now ? [[name, storedValue(now)] as const] : [];
    }),
  );
}

interface AdviceProps {
  control: Control<Record<string, string>>;
  name: string;
  about: (value: string) => ReactNode;
}

function Advice({ control, name, about }: AdviceProps) {
  const value = useWatch({ control, name }) ?? '';
  const { touchedFields, dirtyFields } = useFormState({ control, name });
  // Nobody is interrupted in the middle of a word.
  if (!(name in touchedFields) && name in dirtyFields) return null;
  return <div className="mt-4 max-w-xl empty:hidden">{about(value)}</div>;
}

function ConfigInput({ name, field, entry }: { name: string; field: ConfigField; entry: Entry }) {
  const { label, type = 'text', options, none = 'None' } = field;
  const disabledReason =
    entry.source === 'env' ? `Set by an environment variable on the server: ${entry.value}.` : undefined;
  const common = { name, label, disabledReason, ...hintOf(entry, field.hint) };
  if (options) return <Select {...common} options={choices(options, storedValue(entry), none)} />;
  return <TextField {...common} type={type} {...(entry.default === null ? {} : { placeholder: entry.default })} />;
}

/** A dot in the name of a field would mean a field within a field. */
function nameOf(key: string): string {
  return key.replaceAll('.', '_');
}

function storedValue({ source, value }: Entry): string {
  return source === 'default' ? '' : (value ?? '');
}

/** A value that the browser does not list is shown all the same. */
function choices(options: readonly string[], stored: string, none: string) {
  const all = stored === '' || options.includes(stored) ? options : [stored, ...options];
  return [{ value: '', label: none }, ...all.map((value) => ({ value, label: value.replaceAll('_', ' ') }))];
}

function hintOf({ source, value }: Entry, hint: string | undefined): { hint?: string } {
  const now = source === 'default' && value !== null ? `Now: ${value}.` : undefined;
  const text = [hint, now].filter((part) => part !== undefined).join(' ');
  return text === '' ? {} : { hint: text };
}

/** The server names the field of its body; here it is the setting that has it. */
function atField(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = (error.body.error.details ?? []).map((detail) => ({ ...detail, path: name }));
  return new ApiError(error.status, { error: { ...error.body.error, details } }, error.retryAfter);
}
