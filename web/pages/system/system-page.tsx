import { getBootstrap } from '../../../src/features/bootstrap/bootstrap.contract.ts';
import { getReadiness, getVersion } from '../../../src/features/health/health.contract.ts';
import { PAGES, type PagePath } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { ApiError, messageOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/queries.ts';
import { reasonAgainst, useSession, type Session } from '../../api/session.ts';
import { DefinitionList, Facts, type Definition } from '../../components/definition-list.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { LANGUAGE } from '../../lib/language.ts';
import { inDigits } from '../../lib/numbers.ts';
import { FIGURE_ALONE, LINK, PageLink } from '../../lib/page-link.tsx';
import { AddressSection } from './address-section.tsx';
import { KeySection } from './key-section.tsx';

type Diagnostics = NonNullable<OutputOf<typeof getBootstrap>['diagnostics']>;

const ENGINES = { sqlite: 'Embedded database (SQLite)', postgres: 'PostgreSQL' } as const;
/** Whether this server works, and what it contains. */
export default function SystemPage() {
  const bootstrap = useApiQuery(getBootstrap, {});
  return (
    <>
      <PageHeader title="System" lead="Whether this server works, and what it contains." />
      <Section title="Program" about="Which version runs, and whether it does its work.">
        <Program />
      </Section>
      <Loaded query={bootstrap} lines={8}>
        {({ diagnostics }) => diagnostics && <DiagnosticSections diagnostics={diagnostics} />}
      </Loaded>
      <Section title="Licences" about="What it may be used for.">
        <p>
          Homeledger is free software under the Apache License 2.0. This dashboard contains packages with{' '}
          <a href="/assets/licences.txt" className={LINK}>
            their own licences
          </a>
          .
        </p>
      </Section>
    </>
  );
}

function Program() {
  const version = useApiQuery(getVersion, {});
  const readiness = useApiQuery(getReadiness, {}, { refetchInterval: 30_000, retry: false });
  return (
    <Loaded query={version} lines={2}>
      {(found) => (
        <DefinitionList
          items={[
            { term: 'Version', value: found.version },
            { term: 'State', value: <Readiness error={readiness.error} isReady={readiness.data !== undefined} /> },
            {
              term: 'Scheduler',
              value: readiness.data?.scheduler === 'running' ? 'Running' : 'Not running: scheduled work is not done',
            },
          ]}
        />
      )}
    </Loaded>
  );
}

function Readiness({ error, isReady }: { error: Error | null; isReady: boolean }) {
  if (error instanceof ApiError) {
    const causes = (error.body.error.details ?? []).map(({ message }) => message);
    return (
      <>
        <Status tone="danger">Not ready</Status>
        <p className="mt-2">{[messageOf(error), ...causes].join(' ')}</p>
      </>
    );
  }
  return isReady ? <Status tone="success">Ready</Status> : <Skeleton lines={1} />;
}

function DiagnosticSections({ diagnostics }: { diagnostics: Diagnostics }) {
  const { database, counts, encryption, disk_free_bytes: diskFree } = diagnostics;
  const { data: session } = useSession();
  return (
    <>
      <Section title="Database" about="Where everything is kept.">
        <DefinitionList
          items={[
            { term: 'Engine', value: ENGINES[database.engine] },
            { term: 'Schema', value: <SchemaState database={database} /> },
            { term: 'Free disk space', value: diskFree === null ? 'Unknown' : bytes(diskFree), ...lowDisk(diskFree) },
          ]}
        />
      </Section>
      <KeySection encryption={encryption} />
      <AddressSection diagnostics={diagnostics} />
      <Section title="In the ledger" about="What is kept now, without what was deleted.">
        <Facts items={countsOf(counts, session)} />
      </Section>
    </>
  );
}

function SchemaState({ database }: { database: Diagnostics['database'] }) {
  const text = `Migration ${database.migration_version}`;
  return database.migrations_current ? text : <Status tone="warning">{`${text}, not the latest`}</Status>;
}

const LOW_DISK_BYTES = 1024 ** 3;

function lowDisk(free: number | null): Partial<Definition> {
  return free !== null && free < LOW_DISK_BYTES
    ? { note: 'Space is running out. Free some before imports and backups fail.' }
    : {};
}

/** What is counted, and the page that lists it. */
const COUNTS = {
  users: ['Members', '/household'],
  logins: ['Logins', '/household'],
  api_keys: ['API keys', '/settings/api-keys'],
  connections: ['Connections', '/connections'],
  accounts: ['Accounts', '/accounts'],
  transactions: ['Transactions', '/transactions'],
} as const satisfies Readonly<Record<keyof Diagnostics['counts'], readonly [term: string, page: PagePath]>>;

function countsOf(counts: Diagnostics['counts'], session: Session | undefined): Definition[] {
  return (Object.keys(COUNTS) as (keyof typeof COUNTS)[]).map((name) => {
    const [term, to] = COUNTS[name];
    const audience = PAGES.find(({ path }) => path === to)?.audience ?? 'everybody';
    const count = inDigits(counts[name]);
    if (reasonAgainst(session, audience) !== undefined) return { term, value: count };
    return {
      term,
      value: (
        <PageLink to={to} className={FIGURE_ALONE}>
          {count}
        </PageLink>
      ),
    };
  });
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function bytes(count: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), UNITS.length - 1);
  const unit = UNITS[step] ?? 'byte';
  const format = new Intl.NumberFormat(LANGUAGE, { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(count / 1000 ** step);
}
