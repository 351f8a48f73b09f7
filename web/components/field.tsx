import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useFormContext, useFormState, type FieldError } from 'react-hook-form';

import { ConflictNote, useConflict } from './conflict.tsx';

/** What every field of a form has in common. */
export interface FieldProps {
  /** Its name in the body of the operation. */
  name: string;
  label: string;
  /** One sentence that helps to fill it in. */
  hint?: ReactNode;
  optional?: boolean | undefined;
  /** Why it cannot be changed. */
  disabledReason?: string | undefined;
}

/** The attributes that tie an input to its label, hint and error. */
export interface FieldParts {
  id: string;
  name: string;
  /** The words for a value, where it is not text. */
  say?: ((value: unknown) => string) | undefined;
  describedBy: string | undefined;
  error: string | undefined;
}

export function useField({
  name,
  hint,
  disabledReason,
  say,
}: Pick<FieldProps, 'name' | 'hint' | 'disabledReason'> & Pick<FieldParts, 'say'>): FieldParts {
  const id = useId();
  const error = useFieldError(name);
  const conflict = useConflict(name);
  const ids = [
    hint === undefined ? '' : `${id}-hint`,
    disabledReason === undefined ? '' : `${id}-reason`,
    error === undefined ? '' : `${id}-error`,
    conflict === undefined ? '' : `${id}-conflict`,
  ].filter((one) => one !== '');
  return { id, name, say, error, describedBy: ids.length === 0 ? undefined : ids.join(' ') };
}

function useFieldError(name: string): string | undefined {
  const { control } = useFormContext();
  const { errors } = useFormState({ control, name });
  const error = errors[name] as FieldError | undefined;
  return error?.message === undefined ? undefined : sentence(error.message);
}

/** Messages are written to follow the name of their field: "must not be empty". */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

interface FieldFrameProps extends Omit<FieldProps, 'name'> {
  parts: FieldParts;
  children: ReactNode;
}

/** Label above, hint and error below. */
export function FieldFrame({ parts, label, hint, optional = false, disabledReason, children }: FieldFrameProps) {
  return (
    <div className="mb-4">
      <label htmlFor={parts.id} className="mb-1 block font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children}
      <FieldNotes parts={parts} hint={hint} disabledReason={disabledReason} />
    </div>
  );
}

export function FieldNotes({
  parts,
  hint,
  disabledReason,
}: Pick<FieldFrameProps, 'parts' | 'hint' | 'disabledReason'>) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${parts.id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {disabledReason !== undefined && (
        <p id={`${parts.id}-reason`} className="mt-1 text-sm text-muted">
          {disabledReason}
        </p>
      )}
      <p id={`${parts.id}-error`} role="alert" className="text-sm font-medium text-danger empty:hidden">
        {parts.error !== undefined && (
          <span className="mt-1 flex items-start gap-1.5">
            <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
            {parts.error}
          </span>
        )}
      </p>
      <ConflictNote id={`${parts.id}-conflict`} name={parts.name} say={parts.say} />
    </>
  );
}
