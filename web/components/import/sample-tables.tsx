import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listImportRows } from '../../../src/features/imports/imports.contract.ts';
import { inWords } from '../../lib/days.ts';
import { Money } from '../money.tsx';
import { AmountsInText } from '../money.tsx';
import type { Preview } from './use-preview.ts';

export type ImportRow = OutputOf<typeof listImportRows>['rows'][number];

const ROWS = 3;
const CELL = 'max-w-48 truncate px-2 py-1 text-left whitespace-nowrap';

/** The first rows of the file as they are in it; of formats without columns, as they are read. */
export function SampleTable({ preview }: { preview: Preview }) {
  const { headers, preview_rows: raw, rows } = preview;
  if (headers.length === 0) return <ReadRows rows={rows.slice(0, ROWS)} />;
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what is wider than the page is scrolled by keys
      tabIndex={0}
      role="region"
      aria-label="The first rows of the file"
      className="overflow-x-auto rounded-control border border-line"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line bg-sunken">
            {headers.map((header, index) => (
              <th key={index} scope="col" className={`${CELL} font-medium text-muted`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {raw.slice(0, ROWS).map((cells, line) => (
            <tr key={line} className="border-b border-line last:border-b-0">
              {headers.map((_header, index) => (
                <td key={index} className={CELL}>
                  <bdi>
                    <AmountsInText text={cells[index] ?? ''} />
                  </bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ReadRows({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <ul className="divide-y divide-line rounded-control border border-line text-sm">
      {rows.map((row) => (
        <li key={`${row.line} ${row.part}`} className="flex justify-between gap-3 px-3 py-1.5">
          <span className="shrink-0 text-muted tabular-nums">{row.date === null ? '–' : inWords(row.date)}</span>
          <bdi className="min-w-0 flex-1 truncate">{row.description}</bdi>
          {row.amount !== null && <Money amount={row.amount} currency={row.iso_currency_code} />}
        </li>
      ))}
    </ul>
  );
}

/** What cannot be read, and why. */
export function ProblemTable({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what is wider than the page is scrolled by keys
      tabIndex={0}
      role="region"
      aria-label="Rows that cannot be read"
      className="overflow-x-auto rounded-control border border-line"
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line bg-sunken text-muted">
            <th scope="col" className="px-2 py-1 text-right font-medium">
              Line
            </th>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              Why
            </th>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              In the file
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.line} ${row.part}`} className="border-b border-line align-top last:border-b-0">
              <td className="px-2 py-1 text-right tabular-nums">{row.line}</td>
              <td className="px-2 py-1">{row.message}</td>
              <td className="px-2 py-1 wrap-anywhere">
                <bdi>
                  <AmountsInText text={row.raw ?? ''} />
                </bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
