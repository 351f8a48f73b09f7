import type { OutputOf } from '../../../src/contract/operation.ts';
import { getImport } from '../../../src/features/imports/imports.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Banner } from '../../components/banner.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DefinitionList, type Definition } from '../../components/definition-list.tsx';
import { AccountOfImport } from '../../components/import/account-of-import.tsx';
import { fileNameOf, isRunning, POLL, STATUS_WORDS } from '../../components/import/import-words.ts';
import { ProofSection } from '../../components/import/proof-section.tsx';
import { ImportProgress } from '../../components/import/running-import.tsx';
import { Instant } from '../../components/instant.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { inWords } from '../../lib/days.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { FIGURE_LINK, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { ImportRows } from './import-rows.tsx';
import { UndoImport } from './undo-import.tsx';

export type Import = OutputOf<typeof getImport>;

/** One bank file: what it brought, whether it adds up, its rows, and the way back. */
export default function ImportPage() {
  const { id = '' } = usePageParams();
  const query = useApiQuery(getImport, { params: { id } }, POLL);
  return (
    <>
      <BackLink to="/imports">Imports</BackLink>
      {query.data === undefined && <PageHeader title="Import" />}
      <Loaded query={query} lines={8}>
        {(found) => (
          <>
            <PageHeader
              title={fileNameOf(found)}
              lead={<Lead one={found} />}
              actions={isRunning(found) || found.status === 'failed' ? undefined : <UndoImport one={found} />}
            />
            {isRunning(found) ? <Running one={found} /> : <Ended one={found} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Lead({ one }: { one: Import }) {
  return (
    <>
      Imported by <bdi>{one.actor_name}</bdi>, <Instant at={one.created_at} />.
    </>
  );
}

function Running({ one }: { one: Import }) {
  return (
    <Section title="Importing">
      <ImportProgress progress={one.progress} label={`Import of ${fileNameOf(one)}`} />
      <p className="mt-3 text-muted">You can close this page: the import goes on.</p>
    </Section>
  );
}

function Ended({ one }: { one: Import }) {
  return (
    <>
      {one.status === 'failed' && (
        <Banner tone="danger" title="The import failed. Nothing of the file was written.">
          <p>{one.error?.message}</p>
        </Banner>
      )}
      <Result one={one} />
      {one.accounts.length > 1 && <Accounts accounts={one.accounts} />}
      {one.status !== 'failed' && <ProofSection proof={one.balance_proof} accounts={one.accounts} />}
      <Warnings warnings={one.warnings} />
      {one.status !== 'failed' && <ImportRows one={one} />}
    </>
  );
}

function Result({ one }: { one: Import }) {
  const { tone, word } = STATUS_WORDS[one.status];
  const isWritten = one.status !== 'failed';
  return (
    <Section title="Result">
      <DefinitionList
        items={[
          {
            term: 'State',
            value: <Status tone={tone}>{word}</Status>,
            ...(undoneNote(one) ? { note: undoneNote(one) } : {}),
          },
          ...(one.accounts.length === 1
            ? [{ term: 'Account', value: <AccountName account={one.accounts[0] as Account} /> }]
            : []),
          ...(isWritten ? countsOf(one) : []),
          ...(isWritten ? totalsOf(one) : []),
          ...daysOf(one),
        ]}
      />
    </Section>
  );
}

type Account = Import['accounts'][number];

function undoneNote({ status, reverted_at: at }: Import) {
  if (at === null || (status !== 'reverted' && status !== 'partly_reverted')) return undefined;
  return (
    <>
      Undone <Instant at={at} />.
    </>
  );
}

function AccountName({ account }: { account: Account }) {
  return (
    <>
      <AccountOfImport account={account} />
      {account.created && ' (new)'}
    </>
  );
}

const COUNTS = [
  ['updated', 'Updated', 'The bank has changed them since.'],
  ['duplicate', 'Known already', undefined],
  ['deleted', 'Deleted by you before', 'They stay deleted.'],
  ['skipped', 'Left out', undefined],
  ['invalid', 'Unreadable', undefined],
  ['removed', 'Withdrawn by the bank', 'Pending transactions that it no longer lists.'],
] as const;

function countsOf(one: Import): Definition[] {
  const { counts } = one;
  const others = COUNTS.filter(([key]) => counts[key] > 0);
  return [
    { term: 'New', value: <Added one={one} /> },
    ...others.map(([key, term, note]) => ({
      term,
      value: inDigits(counts[key]),
      ...(note === undefined ? {} : { note }),
    })),
  ];
}

/** What is there of it can be opened; an undone import has no rows any more. */
function Added({ one: { id, status, counts } }: { one: Import }) {
  if (counts.added === 0 || status === 'reverted') return <>{inDigits(counts.added)}</>;
  return (
    <PageLink to="/transactions" search={{ import_id: id }} className={FIGURE_LINK}>
      {inDigits(counts.added)}
    </PageLink>
  );
}

/** One line per currency; currencies are never added up. */
function totalsOf({ totals }: Import): Definition[] {
  return totals.map(({ iso_currency_code: code, money_in: moneyIn, money_out: moneyOut }) => ({
    term: `New in ${code ?? 'an unknown currency'}`,
    value: (
      <>
        <Money amount={`-${moneyIn}`} currency={code} /> in, <Money amount={moneyOut} currency={code} /> out
      </>
    ),
  }));
}

function daysOf({ first_date: first, last_date: last }: Import): Definition[] {
  if (first === null || last === null) return [];
  return [{ term: 'Days', value: first === last ? inWords(first) : `${inWords(first)} to ${inWords(last)}` }];
}

const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  { title: 'Account', isRowHeader: true, cell: (account) => <AccountName account={account} /> },
  { title: 'In the file', cell: ({ file_value: value }) => (value === null ? null : <bdi>{value}</bdi>) },
  { title: 'Rows', align: 'end', cell: ({ row_count: count }) => inDigits(count) },
  { title: 'New', align: 'end', cell: ({ added_count: count }) => inDigits(count) },
];

function Accounts({ accounts }: Pick<Import, 'accounts'>) {
  return (
    <Section title="Accounts">
      <DataTable
        caption="What went to which account"
        columns={ACCOUNT_COLUMNS}
        rows={accounts}
        keyOf={({ file_value: value, account_id: id }) => `${id} ${value}`}
        empty={null}
      />
    </Section>
  );
}

export function Warnings({ warnings }: Pick<Import, 'warnings'>) {
  if (warnings.length === 0) return null;
  return (
    <Section title={counted(warnings.length, 'thing to know', 'things to know')}>
      <ul className="list-disc space-y-2 pl-5">
        {warnings.map(({ code, message, lines }) => (
          <li key={`${code} ${message}`} className="wrap-anywhere">
            {message}
            {lines.length > 0 && (
              <span className="block text-sm text-muted">
                {lines.length === 1 ? 'Line' : 'Lines'} {lines.map((line) => inDigits(line)).join(', ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
