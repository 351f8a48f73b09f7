import type { LucideIcon } from 'lucide-react';
import { LoaderCircle } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-ink hover:bg-sunken border-line-strong',
  quiet: 'bg-transparent text-ink hover:bg-sunken border-transparent',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong border-transparent',
};
const SHAPE =
  'target worded-2 inline-flex items-center justify-center gap-2 rounded-control border px-4 py-1.5 font-medium transition-colors';
/** Readable, because a control that may not be used says why. */
const UNUSABLE =
  'aria-disabled:bg-sunken aria-disabled:text-muted aria-disabled:border-line aria-disabled:hover:bg-sunken aria-disabled:cursor-not-allowed';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook;
  icon?: LucideIcon;
  /** Shows progress and takes no second press. */
  busy?: boolean;
  /** Why it cannot be used. The button stays in the tab order, so that everybody can find out. */
  disabledReason?: string | undefined;
}

/** Looks of a button, for links that look like one. */
export function buttonClass(look: ButtonLook = 'secondary'): string {
  return `${SHAPE} ${LOOKS[look]}`;
}

export function Button({
  look = 'secondary',
  icon: Icon,
  busy = false,
  disabledReason,
  type = 'button',
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isUnusable = busy || disabledReason !== undefined;
  return (
    <>
      <button
        {...rest}
        type={isUnusable ? 'button' : type}
        className={`${SHAPE} ${LOOKS[look]} ${disabledReason === undefined ? '' : UNUSABLE} ${className}`}
        aria-disabled={isUnusable || undefined}
        aria-busy={busy || undefined}
        aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
        title={disabledReason ?? rest.title}
        onClick={isUnusable ? (event) => event.preventDefault() : onClick}
      >
        {busy ? <Spinner /> : Icon && <Icon aria-hidden size={18} className="shrink-0" />}
        {children}
      </button>
      {disabledReason !== undefined && <Hidden id={reasonId}>{disabledReason}</Hidden>}
    </>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: LucideIcon;
  /** What it does; also shown as a tooltip. */
  label: string;
}

export function IconButton({ icon: Icon, label, look = 'quiet', className = '', ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      look={look}
      className={`min-w-10 px-2! pointer-coarse:min-w-11 ${className}`}
      aria-label={label}
      title={label}
    >
      {rest.busy === true ? null : <Icon aria-hidden size={20} className="shrink-0" />}
    </Button>
  );
}

function Spinner() {
  return <LoaderCircle aria-hidden size={18} className="shrink-0 animate-spin" />;
}

/** Text for screen readers only. */
export function Hidden({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className="sr-only">
      {children}
    </span>
  );
}
