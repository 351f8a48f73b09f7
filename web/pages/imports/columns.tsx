import { AmountsInText } from '../../components/money.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Fields } from '../../components/import/import-queue.ts';
import type { Preview } from '../../components/import/use-preview.ts';
import { Section } from '../../components/page-header.tsx';
import { Choice } from './choice.tsx';
import type { PartProps } from './new-import.tsx';

const MEANINGS: Readonly<Record<string, string>> = {
  date: 'Date',
  authorized_date: 'Date of the purchase',
  time: 'Time',
  amount: 'Amount',
  debit: 'Money out',
  credit: 'Money in',
  direction: 'In or out',
  fee: 'Fee',
  currency: 'Currency',
  balance: 'Balance',
  description: 'Text',
  merchant_name: 'Shop or other side',
  payee: 'Who was paid',
  payer: 'Who paid',
  category: 'Category',
  type: 'Kind of transaction',
  status: 'Booked or pending',
  bank_id: 'The bank’s number',
  account: 'Account',
  check_number: 'Number of the cheque',
  counterparty_account: 'Account of the other side',
  tags: 'Tags',
  notes: 'Notes',
};
/** Fields that several columns make up together. */
const SEVERAL: ReadonlySet<string> = new Set(['description', 'account']);
const SAMPLES = 3;

interface FileColumn {
  index: number;
  name: string;
  samples: readonly string[];
  /** Its meanings; a column of texts can have several. */
  fields: readonly string[];
}

/** What each column of the file means, with what stands in it. */
export function Columns({ preview, change }: PartProps) {
  const columns = columnsOf(preview);
  return (
    <Section title="Columns">
      <DataTable
        caption="Columns of the file and what they mean"
        rows={columns}
        keyOf={({ index }) => String(index)}
        empty={null}
        columns={[
          {
            title: 'Column',
            isRowHeader: true,
            cell: ({ name, index }) => <bdi>{name === '' ? `Column ${index + 1}` : name}</bdi>,
          },
          {
            title: 'In it',
            cell: ({ samples }) => (
              <span className="text-sm text-muted wrap-anywhere">
                <bdi>
                  <AmountsInText text={samples.join(' · ')} />
                </bdi>
              </span>
            ),
          },
          {
            title: 'Meaning',
            cell: (column) => (
              <div className="w-48 max-w-full">
                <Choice
                  label={`Meaning of ${column.name === '' ? `column ${column.index + 1}` : column.name}`}
                  isLabelHidden
                  value={column.fields[0]}
                  none="Not used"
                  options={Object.entries(MEANINGS).map(([value, label]) => ({ value, label }))}
                  onChange={(meaning) => change({ column_mapping: mappingWith(preview, column.index, meaning) })}
                />
                {column.fields.length > 1 && (
                  <p className="mt-1 text-sm text-muted">
                    also{' '}
                    {column.fields
                      .slice(1)
                      .map((field) => MEANINGS[field] ?? field)
                      .join(', ')}
                  </p>
                )}
              </div>
            ),
          },
        ]}
      />
    </Section>
  );
}

function columnsOf({ headers, preview_rows: rows, mapping }: Preview): FileColumn[] {
  return headers.map((name, index) => ({
    index,
    name,
    samples: [...new Set(rows.map((cells) => cells[index] ?? '').filter((cell) => cell !== ''))].slice(0, SAMPLES),
    fields: Object.entries(mapping).flatMap(([field, { columns }]) =>
      columns.some((one) => one.index === index) ? [field] : [],
    ),
  }));
}

/** The whole mapping as it is, with another meaning of one column: what is sent is not detected again. */
function mappingWith({ mapping }: Preview, index: number, meaning: string | undefined): Fields['column_mapping'] {
  const now = Object.entries(mapping).map(([field, { columns }]): [string, number[]] => [
    field,
    columns.map((one) => one.index).filter((one) => one !== index),
  ]);
  const next = new Map(now);
  if (meaning !== undefined) {
    next.set(meaning, SEVERAL.has(meaning) ? [...(next.get(meaning) ?? []), index] : [index]);
  }
  return Object.fromEntries(
    [...next].map(([field, columns]) => [field, columns.length > 1 ? columns : (columns[0] ?? null)]),
  );
}
