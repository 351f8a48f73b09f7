import { Ellipsis } from 'lucide-react';

import { IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DefinitionList, Facts } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu } from '../../components/menu.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { SecretOnce, Snippet } from '../../components/snippet.tsx';
import { Badge, Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';

interface Row {
  name: string;
  state: 'success' | 'warning';
  balance: string;
  last: string | null;
}

const ROWS: readonly Row[] = [
  { name: 'Checking', state: 'success', balance: '5210.40', last: '2026-04-25T09:12:00.000Z' },
  { name: 'Credit card with a rather long name of a bank', state: 'warning', balance: '-312.00', last: null },
];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Account', isRowHeader: true, cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ state }) => <Status tone={state}>{state === 'success' ? 'Up to date' : 'Needs attention'}</Status>,
  },
  { title: 'Newest', cell: ({ last }) => <Instant at={last} /> },
  { title: 'Balance', align: 'end', cell: ({ balance }) => <Money amount={balance} currency="EUR" kind="balance" /> },
  {
    title: 'Actions',
    isActions: true,
    cell: ({ name }) => (
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />}
        items={[{ label: 'Rename', onSelect: () => showToast(`${name} renamed.`) }]}
      />
    ),
  },
];

export function DataSamples() {
  return (
    <>
      <Section title="A table">
        <DataTable caption="Accounts" columns={COLUMNS} rows={ROWS} keyOf={({ name }) => name} empty={null} />
        <Pager label="accounts" hasPrevious={false} hasNext onPrevious={() => undefined} onNext={() => undefined} />
      </Section>
      <Section title="A table in groups">
        <DataTable
          caption="Accounts by member"
          columns={COLUMNS}
          groups={[
            {
              key: 'ana',
              title: 'Ana',
              end: <Money amount="5210.40" currency="EUR" kind="balance" />,
              rows: ROWS.slice(0, 1),
            },
            { key: 'ben', title: 'Ben', rows: ROWS.slice(1) },
          ]}
          keyOf={({ name }) => name}
          empty={null}
        />
      </Section>
      <Section title="Amounts">
        <DefinitionList
          items={[
            { term: 'Money out', value: <Money amount="4.50" currency="EUR" /> },
            { term: 'Money in', value: <Money amount="-2500.00" currency="USD" /> },
            { term: 'Without a currency', value: <Money amount="9999999999.99" currency={null} /> },
            { term: 'Unread', value: <Badge label="3 unread">3</Badge>, note: 'A count has words for screen readers.' },
          ]}
        />
      </Section>
      <Section title="Facts" about="Settings and facts stand beside what they are about.">
        <Facts
          items={[
            { term: 'State', value: <Status tone="success">Up to date</Status> },
            { term: 'Last sync', value: <Instant at="2026-04-25T09:12:00.000Z" /> },
            { term: 'Accounts', value: 3, note: 'One is excluded.' },
          ]}
        />
      </Section>
      <Section title="To copy">
        <Snippet label="the address" text="https://home.example/api/v1/transactions?limit=5" />
        <SecretOnce
          label="API key “Kitchen tablet”"
          secret="hl_0000000000000000000000000000000000000sample"
          onSaved={() => undefined}
        />
      </Section>
    </>
  );
}
