import { useId } from 'react';

interface SegmentedProps<T extends string> {
  /** What is chosen. */
  label: string;
  options: readonly { value: T; label: string; title?: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, all in sight. */
export function Segmented<T extends string>({ label, options, value, onChange }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className="inline-flex flex-wrap rounded-control border border-line-strong bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.title}
          className="relative inline-flex min-h-8 items-center justify-center rounded-[calc(var(--radius-control)-3px)] px-3 text-sm font-medium text-muted hover:text-ink has-checked:chosen has-checked:bg-accent has-checked:text-on-accent has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 appearance-none rounded-[inherit] outline-none"
          />
          {option.label}
          {option.title !== undefined && <span className="sr-only"> ({option.title})</span>}
        </label>
      ))}
    </fieldset>
  );
}
