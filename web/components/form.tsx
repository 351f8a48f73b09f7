import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { FormProvider, useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';

import { ApiError } from '../api/client.ts';
import { ErrorBanner } from './banner.tsx';
import { Button, type ButtonLook } from './button.tsx';
import { ConflictContext } from './conflict.tsx';
import type { FieldConflicts } from './merge-fields.ts';
import { useSecondsToWait } from './seconds-to-wait.ts';
import { Undecided, useStoredRecord, type StoredRecord } from './stored-record.ts';
import { useUnsavedChanges } from './unsaved-changes.tsx';

interface OperationFormOptions<T extends FieldValues> {
  defaults: DefaultValues<T>;
  /** The record that is edited, of which `defaults` are the fields: then `send` gets its ETag, for `ifMatch`. */
  record?: StoredRecord<DefaultValues<T>> | undefined;
  /** Sends what was entered; its error is shown at the fields it names. */
  send: (values: T, ifMatch: string | undefined) => Promise<unknown>;
  /** Leaving with changes asks first; of a page whose address says what it shows, also what stays on it. */
  guarded?: boolean | 'address';
  /** The defaults are what is stored now: a field that was not touched follows what somebody else changes meanwhile. */
  live?: boolean;
  /** Fields that go back to their default once they are saved: a secret is never shown again. */
  forgets?: readonly (keyof T)[];
}

export interface OperationForm<T extends FieldValues> extends UseFormReturn<T> {
  failure: unknown;
  /** Until the answer is there, and also while the record is read again: `reset` ends the `isSubmitting` of the state. */
  isSending: boolean;
  conflicts: FieldConflicts;
  choose: (name: string, value: unknown) => void;
  submit: () => Promise<void>;
}

/** What is sent: the values of a body before its defaults and transforms. */
type ValuesOf<O> = O extends { body?: infer B } ? InputOf<Exclude<B, undefined>> : never;
type InputOf<B> = B extends z.ZodType ? z.input<B> & FieldValues : never;

/**
 * A form over the body of an operation: its own schema checks it here, and the server checks it again. A form that asks
 * for more than the body has (the password twice) gives `{ body: schema }` of its own.
 */
export function useOperationForm<O extends { body?: z.ZodType }>(
  operation: O,
  { defaults, record, send, guarded = false, live = false, forgets = [] }: OperationFormOptions<ValuesOf<O>>,
): OperationForm<ValuesOf<O>> {
  type Values = ValuesOf<O>;
  const [failure, setFailure] = useState<unknown>();
  if (!operation.body) throw new Error('The build left out the schema of this form: name its operation here.');
  const form = useForm<Values>({
    defaultValues: defaults,
    // Raw: the server parses what was entered, not what our parser made of it.
    resolver: zodResolver(operation.body as never, undefined, { raw: true }) as never,
  });
  const [isSending, setSending] = useState(false);
  useUnsavedChanges(guarded !== false && form.formState.isDirty && !isSending, 'page', guarded === 'address');
  useStoredValues(form, live ? JSON.stringify(defaults) : undefined);

  const { conflicts, choose, save } = useStoredRecord(form, record as StoredRecord<Values> | undefined);

  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined);
    setSending(true);
    try {
      const saved = await save(values, send);
      const forgotten = Object.entries(defaults).filter(([name]) => forgets.includes(name));
      form.reset({ ...saved, ...Object.fromEntries(forgotten) });
    } catch (error) {
      // The field shows both values.
      if (!(error instanceof Undecided) && !showErrorsAt(form, error)) setFailure(error);
    } finally {
      setSending(false);
    }
  });
  return { ...form, failure, isSending, conflicts, choose, submit: () => submit() };
}

function useStoredValues<T extends FieldValues>({ reset }: UseFormReturn<T>, stored: string | undefined): void {
  useEffect(() => {
    if (stored !== undefined) reset(JSON.parse(stored) as T, { keepDirty: true, keepDirtyValues: true });
  }, [stored, reset]);
}

/** What is wrong with one field, found by the page itself. */
export class FieldProblem extends Error {
  readonly details: readonly { path: string; message: string }[];
  constructor(path: string, message: string) {
    super(message);
    this.details = [{ path, message }];
  }
}

/** Shows the details of an error at the fields they name and focuses the first; false when one names no field. */
export function showErrorsAt<T extends FieldValues>(form: UseFormReturn<T>, error: unknown): boolean {
  const details = detailsOf(error);
  const fields = form.getValues() as Readonly<Record<string, unknown>>;
  const known = details.filter(({ path }) => path in fields);
  for (const [index, { path, message }] of known.entries()) {
    form.setError(path as never, { type: 'server', message: withoutName(path, message) }, { shouldFocus: index === 0 });
  }
  return known.length > 0 && known.length === details.length;
}

function detailsOf(error: unknown): FieldProblem['details'] {
  if (error instanceof FieldProblem) return error.details;
  return error instanceof ApiError ? (error.body.error.details ?? []) : [];
}

/** "limit: must be …" under the field of that name needs no name. */
function withoutName(path: string, message: string): string {
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}

interface FormProps<T extends FieldValues> {
  form: OperationForm<T>;
  children: ReactNode;
  /** What the button says. */
  submit: string;
  look?: ButtonLook;
  disabledReason?: string | undefined;
  onCancel?: () => void;
  /** What the second button says. */
  cancel?: string;
  /** Other buttons beside them. */
  actions?: ReactNode;
  /** Of sections in two columns: they keep their fields narrow by themselves. */
  isWide?: boolean;
}

export function Form<T extends FieldValues>({
  form,
  children,
  submit,
  look = 'primary',
  disabledReason,
  onCancel,
  cancel = 'Cancel',
  actions,
  isWide = false,
}: FormProps<T>) {
  const isSending = form.isSending || form.formState.isSubmitting;
  const isTooEarly = useSecondsToWait(form.failure) > 0;
  const undecided = Object.keys(form.conflicts).length > 0 ? 'Choose between the two values first.' : undefined;
  const tooEarly = isTooEarly ? 'The server does not accept another attempt yet.' : undefined;
  const reason = disabledReason ?? undecided ?? tooEarly;
  const { conflicts, choose } = form;
  const known = useMemo(() => ({ of: (name: string) => conflicts[name], choose }), [conflicts, choose]);
  return (
    <FormProvider {...form}>
      <ConflictContext value={known}>
        <form
          noValidate
          {...(isWide ? {} : { className: 'max-w-xl' })}
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            if (!isSending && reason === undefined) void form.submit();
          }}
        >
          {form.failure !== undefined && <ErrorBanner error={form.failure} isAboutInput={isRefusal(form.failure)} />}
          {children}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button type="submit" look={look} busy={isSending} disabledReason={reason}>
              {submit}
            </Button>
            {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
            {actions}
          </div>
        </form>
      </ConflictContext>
    </FormProvider>
  );
}

function isRefusal(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status < 500;
}
