import { useId, type ReactNode } from 'react';

interface ChoiceProps {
  label: string;
  /** Undefined where the file decides. */
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  /** What it is called that nobody chooses; absent where one of the options always holds. */
  none?: string | undefined;
  isLabelHidden?: boolean;
  note?: ReactNode;
  onChange: (value: string | undefined) => void;
}

/** A choice about a file that holds at once: the file is read again with it. */
export function Choice({ label, value, options, none, isLabelHidden = false, note, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      <select
        id={id}
        className="field target text-ellipsis"
        value={value ?? ''}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={({ currentTarget: { value: chosen } }) => onChange(chosen === '' ? undefined : chosen)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {note !== undefined && (
        <p id={`${id}-note`} className="mt-1 text-sm text-muted wrap-anywhere">
          {note}
        </p>
      )}
    </div>
  );
}

interface TickProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Yes or no, with what it means. */
export function TickChoice({ label, hint, checked, onChange }: TickProps) {
  return (
    <label className="flex gap-3 py-1 pointer-coarse:py-2.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <span>
        <span className="font-medium">{label}</span>
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  );
}
