import { useState, type ReactNode } from 'react';

import { testProvider } from '../../../src/features/providers/providers.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Facts, type Definition } from '../../components/definition-list.tsx';
import { Section } from '../../components/page-header.tsx';
import { Status } from '../../components/status.tsx';

const ABOUT = {
  Plaid: 'Banks of North America and Europe. Your keys are on the dashboard of Plaid, under Developers.',
  Teller: 'Banks of the United States. Your application and its certificate are on the console of Teller.',
} as const;

interface ProviderSectionProps {
  name: 'Plaid' | 'Teller';
  isConfigured: boolean;
  isFromEnvironment: boolean;
  /** Whether there is anything to take away. */
  hasCredentials: boolean;
  onDisable: () => Promise<unknown>;
  children: ReactNode;
}

/** State, fields and the way to turn a provider off. */
export function ProviderSection({
  name,
  isConfigured,
  isFromEnvironment,
  hasCredentials,
  onDisable,
  children,
}: ProviderSectionProps) {
  const [isAsking, ask] = useState(false);
  const reason = isFromEnvironment
    ? 'The credentials come from environment variables on the server.'
    : hasCredentials
      ? undefined
      : 'It is not set up.';
  return (
    <Section
      title={name}
      about={ABOUT[name]}
      actions={
        <div className="flex flex-wrap items-center gap-3">
          {isConfigured ? <Status tone="success">Ready</Status> : <Status>Not set up</Status>}
          <Button disabledReason={reason} onClick={() => ask(true)}>
            Disable
          </Button>
        </div>
      }
    >
      {isFromEnvironment && (
        <p className="mb-4 text-muted">
          The credentials come from environment variables on the server and can be changed only there.
        </p>
      )}
      {!isConfigured && hasCredentials && !isFromEnvironment && (
        <Banner tone="warning">
          <p>The credentials are incomplete, or cannot be read with the current encryption key. Enter them again.</p>
        </Banner>
      )}
      {isConfigured && <Test name={name} />}
      {children}
      <ConfirmDialog
        open={isAsking}
        title={`Disable ${name}?`}
        action="Disable"
        onConfirm={onDisable}
        onClose={() => ask(false)}
      >
        Its credentials will be deleted from Homeledger. Connections stay, but get no new data until you set it up
        again.
      </ConfirmDialog>
    </Section>
  );
}

/** Asks the provider whether it takes the stored credentials. */
function Test({ name }: { name: ProviderSectionProps['name'] }) {
  const right = useReasonAgainst('full_access');
  const test = useApiWrite(testProvider, { refreshes: [] });
  const run = (): void => test.mutate({ params: { name: name.toLowerCase() } });
  return (
    <div className="mb-6">
      {test.error !== null && <ErrorBanner error={test.error} onRetry={run} />}
      {test.data && (
        <Banner tone={test.data.ok ? 'success' : 'danger'}>
          <p>{test.data.message}</p>
        </Banner>
      )}
      <Button busy={test.isPending} disabledReason={right} onClick={run}>
        Test the credentials
      </Button>
    </div>
  );
}

export const ENVIRONMENTS = [
  { value: 'sandbox', label: 'Sandbox: made-up banks' },
  { value: 'development', label: 'Development' },
  { value: 'production', label: 'Production: your real banks' },
];

/** What is set on the server is read, not entered: fields that take nothing would only be in the way. */
export function SetOnServer({ items }: { items: readonly Definition[] }) {
  return (
    <div className="mb-6">
      <Facts items={items} />
    </div>
  );
}

/** What is said of a secret: the value itself is never shown. */
export function secretState(isSet: boolean, ending: string | null = null): string {
  if (!isSet) return 'Not set';
  return ending === null ? 'Set' : `Set, ends in ${ending}`;
}

/** The same below a field that takes a new one. */
export function secretHint(isSet: boolean, ending: string | null = null): string {
  return `${secretState(isSet, ending)}.${isSet ? ' Leave this empty to keep it.' : ''}`;
}

export function environmentInWords(environment: string): string {
  return ENVIRONMENTS.find(({ value }) => value === environment)?.label ?? environment;
}

/** A body without the fields that were left empty: those keep what is stored. */
export function filled<T extends Readonly<Record<string, string | null | undefined>>>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined),
  ) as Partial<T>;
}
