import { CircleAlert, CircleCheck, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import { ApiError, isSignedOut, messageOf } from '../api/client.ts';
import { askToSignIn } from '../api/sign-in-again.ts';
import { counted } from '../lib/numbers.ts';
import { Button, Hidden } from './button.tsx';
import { useSecondsToWait } from './seconds-to-wait.ts';

export type Tone = 'info' | 'success' | 'warning' | 'danger';

const TONES: Readonly<Record<Tone, { icon: LucideIcon; look: string }>> = {
  info: { icon: Info, look: 'bg-info-soft text-info' },
  success: { icon: CircleCheck, look: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, look: 'bg-warning-soft text-warning' },
  danger: { icon: CircleAlert, look: 'bg-danger-soft text-danger' },
};
const PLAIN_LOOKS = {
  info: 'text-info',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
} as const;

interface BannerProps {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** About one thing among others in a card: no ground of its own, which would be a box in a box. */
  isPlain?: boolean;
}

/** A message about the page. Warnings and errors are announced when they appear. */
export function Banner({ tone = 'info', title, children, actions, isPlain = false }: BannerProps) {
  const { icon: Icon, look } = TONES[tone];
  const isUrgent = tone === 'danger' || tone === 'warning';
  return (
    <div
      role={isUrgent ? 'alert' : 'status'}
      className={`mb-4 flex gap-3 ${isPlain ? PLAIN_LOOKS[tone] : `rounded-card p-4 ${look}`}`}
    >
      <Icon aria-hidden size={20} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 text-ink">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
        {actions !== undefined && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}

interface ErrorBannerProps {
  error: unknown;
  onRetry?: (() => unknown) | undefined;
  /** What was entered is refused, and the message says why: nobody looks into the log for it. */
  isAboutInput?: boolean;
}

/** What failed, in the server's words, with the id under which the server's log has it. */
export function ErrorBanner({ error, onRetry, isAboutInput = false }: ErrorBannerProps) {
  const requestId = error instanceof ApiError && !isAboutInput ? error.body.error.request_id : undefined;
  const isNew = ({ message }: { message: string }): boolean => !messageOf(error).includes(message);
  const details = error instanceof ApiError ? (error.body.error.details ?? []).filter(isNew) : [];
  if (isSignedOut(error)) return <SignedOutBanner error={error} />;
  if (error instanceof ApiError && error.retryAfter !== null) return <WaitBanner error={error} onRetry={onRetry} />;
  return (
    <Banner tone="danger" actions={onRetry && <Button onClick={() => void onRetry()}>Try again</Button>}>
      <p>{messageOf(error)}</p>
      {details.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === '' ? '' : `${path}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && <p className="mt-1 text-sm text-muted">Request {requestId}</p>}
    </Banner>
  );
}

function SignedOutBanner({ error }: { error: unknown }) {
  return (
    <Banner tone="warning" actions={<Button onClick={() => void askToSignIn()}>Sign in</Button>}>
      <p>{messageOf(error)}</p>
    </Banner>
  );
}

/** The server takes another try after a while: it is announced once, and counted down for the eye. */
function WaitBanner({ error, onRetry }: { error: ApiError; onRetry: (() => unknown) | undefined }) {
  const seconds = useSecondsToWait(error);
  const reason = error.message.replace(/ Try again in \d+ s\.$/, '');
  const disabledReason = seconds > 0 ? 'The server does not accept another attempt yet.' : undefined;
  const retry = onRetry && (
    <Button onClick={() => void onRetry()} disabledReason={disabledReason}>
      Try again
    </Button>
  );
  return (
    <>
      <Banner tone="warning" actions={retry}>
        <p>{reason}</p>
        <p aria-hidden className="tabular-nums">
          {seconds > 0 ? `You can try again in ${seconds} s.` : 'You can try again now.'}
        </p>
        <Hidden>You can try again in {counted(error.retryAfter ?? 0, 'second')}.</Hidden>
      </Banner>
      <p role="status" className="sr-only">
        {seconds > 0 ? '' : 'You can try again now.'}
      </p>
    </>
  );
}
