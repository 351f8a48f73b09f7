import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { LIMITS } from '../../src/kernel/limits.ts';
import { IconButton } from './button.tsx';
import { FieldFrame, useField, type FieldProps } from './field.tsx';

type InputProps = Pick<
  ComponentProps<'input'>,
  'type' | 'autoCapitalize' | 'autoComplete' | 'autoFocus' | 'inputMode' | 'placeholder' | 'readOnly'
> & {
  spellCheck?: boolean;
};

export interface TextFieldProps extends FieldProps, InputProps {
  /** For codes, keys and addresses. */
  monospaced?: boolean;
}

/** A line of text. `name` is the field of the body. */
export function TextField({
  name,
  label,
  hint,
  optional,
  disabledReason,
  monospaced = false,
  ...input
}: TextFieldProps) {
  const { register } = useFormContext();
  const parts = useField({ name, hint, disabledReason });
  return (
    <FieldFrame parts={parts} label={label} hint={hint} disabledReason={disabledReason} optional={optional}>
      <input
        {...input}
        {...register(name)}
        id={parts.id}
        disabled={disabledReason !== undefined}
        aria-invalid={parts.error !== undefined}
        aria-describedby={parts.describedBy}
        className={`field target ${monospaced ? 'font-mono' : ''}`}
      />
    </FieldFrame>
  );
}

export function TextArea({ name, label, hint, optional, disabledReason, rows = 4 }: FieldProps & { rows?: number }) {
  const { register } = useFormContext();
  const parts = useField({ name, hint, disabledReason });
  return (
    <FieldFrame parts={parts} label={label} hint={hint} disabledReason={disabledReason} optional={optional}>
      <textarea
        {...register(name)}
        id={parts.id}
        rows={rows}
        disabled={disabledReason !== undefined}
        aria-invalid={parts.error !== undefined}
        aria-describedby={parts.describedBy}
        className="field"
      />
    </FieldFrame>
  );
}

interface PasswordFieldProps extends FieldProps {
  autoComplete: 'current-password' | 'new-password';
  /** For a new password: says how strong it is. */
  strength?: boolean;
  autoFocus?: boolean;
}

/** Pasting and password managers work; the password can be shown. */
export function PasswordField({
  name,
  label,
  hint,
  disabledReason,
  autoComplete,
  autoFocus,
  strength = false,
}: PasswordFieldProps) {
  const { register } = useFormContext();
  const [isShown, show] = useState(false);
  const strengthHint = strength ? <PasswordStrength name={name} /> : undefined;
  const shownHint = hint ?? strengthHint;
  const parts = useField({ name, hint: shownHint, disabledReason });
  return (
    <FieldFrame parts={parts} label={label} hint={shownHint} disabledReason={disabledReason}>
      <span className="relative block">
        <input
          {...register(name)}
          id={parts.id}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoFocus={autoFocus}
          data-autofocus={autoFocus}
          spellCheck={false}
          disabled={disabledReason !== undefined}
          aria-invalid={parts.error !== undefined}
          aria-describedby={parts.describedBy}
          className="field target pr-12"
        />
        <span className="absolute inset-y-0 right-0 flex items-center">
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? 'Hide password' : 'Show password'}
            aria-pressed={isShown}
            onClick={() => show(!isShown)}
          />
        </span>
      </span>
    </FieldFrame>
  );
}

const STRONG_BITS = 70;
const FAIR_BITS = 50;

/** A rough estimate from length and variety; the server refuses common passwords. */
function PasswordStrength({ name }: { name: string }) {
  const password = String(useWatch({ name }) ?? '');
  const length = [...password].length;
  if (length < LIMITS.passwordMinChars) {
    return (
      <>At least {LIMITS.passwordMinChars} characters. Several words in a row are easy to remember and hard to guess.</>
    );
  }
  const variety = new Set(password).size;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length;
  const bits = Math.min(length, variety * 2) * (2 + kinds);
  if (bits >= STRONG_BITS) return <>Strength: good.</>;
  if (bits >= FAIR_BITS) return <>Strength: fair. A few more characters make it good.</>;
  return <>Strength: weak. Make it longer, or add another word.</>;
}
