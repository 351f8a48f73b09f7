import { useFormContext, useWatch } from 'react-hook-form';

import { FieldFrame, useField, type FieldProps } from './field.tsx';

interface ColorFieldProps extends FieldProps {
  /** What having no colour of its own means: "As its parent". Without it there always is one. */
  none?: string;
}

const FIRST = '#0d9488';

/** A colour, by the browser's own picker. The field is `#rrggbb`, or empty for none. */
export function ColorField({ name, label, hint, none }: ColorFieldProps) {
  const { setValue } = useFormContext();
  const value = String(useWatch({ name }) ?? '');
  const parts = useField({ name, hint });
  const set = (color: string) => setValue(name, color, { shouldDirty: true });
  return (
    <FieldFrame parts={parts} label={label} hint={hint}>
      <div className="flex flex-wrap items-center gap-x-4">
        <input
          id={parts.id}
          type="color"
          value={value === '' ? FIRST : value}
          aria-describedby={parts.describedBy}
          className={`h-11 w-16 rounded-control border border-line-strong bg-surface p-1 ${value === '' ? 'opacity-50' : ''}`}
          onChange={(event) => set(event.currentTarget.value)}
        />
        {none !== undefined && (
          <label className="flex items-center gap-3 py-1 pointer-coarse:py-2.5">
            <input
              type="checkbox"
              checked={value === ''}
              onChange={(event) => set(event.currentTarget.checked ? '' : FIRST)}
              className="size-5 shrink-0 accent-accent"
            />
            {none}
          </label>
        )}
      </div>
    </FieldFrame>
  );
}
