import { DataTable, type Column } from '../../components/data-table.tsx';
import { Button } from '../../components/button.tsx';
import { FilterSelect, optionsOf } from '../../components/filters.tsx';
import type { Fields } from '../../components/import/import-queue.ts';
import { keyOfRow, OUTCOME_WORDS, ROW_COLUMNS } from '../../components/import/row-columns.tsx';
import type { ImportRow } from '../../components/import/sample-tables.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { inDigits } from '../../lib/numbers.ts';
import type { PartProps } from './new-import.tsx';

interface PreviewRowsProps extends PartProps {
  shown: Pick<Fields, 'limit' | 'outcome'>;
  onShow: (shown: Pick<Fields, 'limit' | 'outcome'>) => void;
}

const MORE = 150;
type Outcome = ImportRow['outcome'];

/** The rows as they would be stored; each can be ticked in or out. */
export function PreviewRows({ item, preview, change, shown, onShow }: PreviewRowsProps) {
  const { fields } = item;
  const outcome = shown.outcome as Outcome | undefined;
  const limit = Number(shown.limit ?? 0);
  const count = outcome === undefined ? preview.counts.total : preview.counts[outcome];
  const tick: Column<ImportRow> = {
    title: 'Import it',
    isActions: true,
    cell: (row) => <Tick row={row} fields={fields} change={change} />,
  };
  return (
    <Section title="Rows">
      <Totals totals={preview.totals} />
      <div className="mb-4">
        <FilterSelect
          label="Outcome"
          all={`All ${inDigits(preview.counts.total)}`}
          value={outcome}
          options={optionsOf(OUTCOME_WORDS, ({ word }) => word).filter(({ value }) => preview.counts[value] > 0)}
          onChange={(value) => onShow({ limit, ...(value === undefined ? {} : { outcome: value }) })}
        />
      </div>
      <DataTable
        caption="Rows of the file as they would be stored"
        columns={[tick, ...ROW_COLUMNS]}
        rows={preview.rows}
        keyOf={keyOfRow}
        empty={<p className="text-muted">No row of the file has this outcome.</p>}
      />
      {preview.rows.length < count && limit < LIMITS.pageMax && preview.rows.length === limit && (
        <div className="mt-4 text-center">
          <Button onClick={() => onShow({ ...shown, limit: Math.min(LIMITS.pageMax, limit + MORE) })}>Show more</Button>
        </div>
      )}
      {limit >= LIMITS.pageMax && preview.rows.length === limit && (
        <p className="mt-4 text-muted">These are the first {inDigits(limit)}. The outcome above shows others.</p>
      )}
    </Section>
  );
}

/** One line per currency. */
function Totals({ totals }: Pick<PartProps['preview'], 'totals'>) {
  if (totals.length === 0) return null;
  return (
    <ul className="mb-4">
      {totals.map(({ iso_currency_code: code, money_in: moneyIn, money_out: moneyOut }) => (
        <li key={code}>
          New: <Money amount={`-${moneyIn}`} currency={code} /> in, <Money amount={moneyOut} currency={code} /> out
        </li>
      ))}
    </ul>
  );
}

interface TickProps {
  row: ImportRow;
  fields: Fields;
  change: PartProps['change'];
}

/** What no choice can change has none: unreadable rows, and those that are no transactions. */
function Tick({ row, fields, change }: TickProps) {
  const { line, outcome, reason, description } = row;
  const included = linesIn(fields.include_lines);
  const excluded = linesIn(fields.exclude_lines);
  const isOut = excluded.includes(line);
  const isIn = included.includes(line);
  const canBeTicked = ['added', 'updated', 'duplicate', 'deleted'].includes(outcome) || reason === 'EXCLUDED';
  if (!canBeTicked) return null;
  // What was left out a moment ago is still shown as such while the file is read again.
  const isNew = outcome === 'added' || outcome === 'updated' || reason === 'EXCLUDED';
  const isTicked = !isOut && (isIn || isNew);
  const toggle = (isWanted: boolean): void => {
    const isNatural = isWanted ? isOut : isIn;
    change({
      include_lines: orNone(isWanted && !isNatural ? [...included, line] : included.filter((one) => one !== line)),
      exclude_lines: orNone(!isWanted && !isNatural ? [...excluded, line] : excluded.filter((one) => one !== line)),
    });
  };
  return (
    <label className="inline-flex pointer-coarse:-m-2.5 pointer-coarse:p-2.5">
      <span className="sr-only">
        Import line {line}: {description}
      </span>
      <input
        type="checkbox"
        checked={isTicked}
        onChange={({ currentTarget }) => toggle(currentTarget.checked)}
        className="size-6 accent-accent"
      />
    </label>
  );
}

function linesIn(lines: Fields['include_lines']): number[] {
  return [lines ?? []].flat().map(Number);
}

function orNone(lines: number[]): number[] | undefined {
  return lines.length === 0 ? undefined : lines;
}
