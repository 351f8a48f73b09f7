import { useId, type ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';

import { Hidden } from './button.tsx';
import { OPTION } from './option-look.ts';
import { FieldFrame, FieldNotes, useField, type FieldProps } from './field.tsx';

export interface Option {
  value: string;
  label: string;
  /** What choosing it means. */
  hint?: ReactNode;
}

interface ChoiceProps extends FieldProps {
  options: readonly Option[];
}

/** The browser's own list: it works with every keyboard, phone and screen reader. */
export function Select({ name, label, hint, optional, disabledReason, options }: ChoiceProps) {
  const { register } = useFormContext();
  const parts = useField({ name, hint, disabledReason, say: labelIn(options) });
  return (
    <FieldFrame parts={parts} label={label} hint={hint} disabledReason={disabledReason} optional={optional}>
      <select
        {...register(name)}
        id={parts.id}
        disabled={disabledReason !== undefined}
        aria-invalid={parts.error !== undefined}
        aria-describedby={parts.describedBy}
        className="field target"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

function labelIn(options: readonly Option[]): (value: unknown) => string {
  return (value) => options.find((option) => option.value === value)?.label ?? String(value);
}

export function RadioGroup({ name, label, hint, disabledReason, options }: ChoiceProps) {
  const { register } = useFormContext();
  const parts = useField({ name, hint, disabledReason, say: labelIn(options) });
  return (
    <fieldset className="mb-4" aria-describedby={parts.describedBy} disabled={disabledReason !== undefined}>
      <legend className="mb-1 font-medium">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={`${OPTION} flex gap-3`}>
          <input
            {...register(name)}
            type="radio"
            value={option.value}
            className="mt-0.5 size-5 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">{option.label}</span>
            {option.hint !== undefined && <span className="block text-sm text-muted">{option.hint}</span>}
          </span>
        </label>
      ))}
      <FieldNotes parts={parts} hint={hint} disabledReason={disabledReason} />
    </fieldset>
  );
}

/** Several of a list. The field is an array of their values. */
export function CheckboxGroup({ name, label, hint, disabledReason, options }: ChoiceProps) {
  const { register } = useFormContext();
  const parts = useField({ name, hint, disabledReason });
  return (
    <fieldset className="mb-4" aria-describedby={parts.describedBy} disabled={disabledReason !== undefined}>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="grid gap-x-6 sm:grid-cols-2">
        {options.map((option) => (
          <label key={option.value} className="flex gap-3 py-1 pointer-coarse:py-2.5">
            <input
              {...register(name)}
              type="checkbox"
              value={option.value}
              className="mt-0.5 size-5 shrink-0 accent-accent"
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <FieldNotes parts={parts} hint={hint} disabledReason={disabledReason} />
    </fieldset>
  );
}

export function Checkbox({ name, label, hint, disabledReason }: FieldProps) {
  const { register } = useFormContext();
  const parts = useField({ name, hint, disabledReason });
  return (
    <div className="mb-4">
      <label className="flex gap-3 py-1 pointer-coarse:py-2.5">
        <input
          {...register(name)}
          id={parts.id}
          type="checkbox"
          disabled={disabledReason !== undefined}
          aria-describedby={parts.describedBy}
          className="mt-0.5 size-5 shrink-0 accent-accent"
        />
        <span className="font-medium">{label}</span>
      </label>
      <div className="pl-8">
        <FieldNotes parts={parts} hint={hint} disabledReason={disabledReason} />
      </div>
    </div>
  );
}

const SWITCH =
  'relative mt-0.5 h-6 w-11 shrink-0 appearance-none rounded-full bg-line-strong transition-colors before:absolute before:top-1 before:left-1 before:size-4 before:rounded-full before:bg-surface before:transition-transform checked:bg-accent checked:before:translate-x-5 disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 forced-colors:w-6 forced-colors:appearance-auto forced-colors:before:hidden';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabledReason?: string | undefined;
}

/** On or off at once, without a form. */
export function Switch({ label, hint, checked, onChange, disabledReason }: SwitchProps) {
  const note = disabledReason ?? hint;
  return (
    <label className="flex items-start justify-between gap-4 py-1 pointer-coarse:py-2.5">
      <span>
        <span className="font-medium">{label}</span>
        {note !== undefined && <span className="block text-sm text-muted">{note}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabledReason !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={SWITCH}
      />
    </label>
  );
}

/** A switch in a row of a list. Its column says what it is for; the label is for screen readers. */
export function RowSwitch({ label, checked, onChange, disabledReason }: Omit<SwitchProps, 'hint'>) {
  const reasonId = useId();
  const isUnusable = disabledReason !== undefined;
  return (
    <label className="relative top-1.5 inline-flex items-center justify-center pointer-coarse:min-h-11 pointer-coarse:min-w-11">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-disabled={isUnusable || undefined}
        aria-describedby={isUnusable ? reasonId : undefined}
        title={disabledReason}
        checked={checked}
        onChange={(event) => !isUnusable && onChange(event.currentTarget.checked)}
        className={SWITCH}
      />
      {isUnusable && <Hidden id={reasonId}>{disabledReason}</Hidden>}
    </label>
  );
}
