import { Archive, Bookmark, Download, Printer, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';

import { exportHousehold } from '../../../src/features/export/export.contract.ts';
import { exportTransactions } from '../../../src/features/transactions/transaction-reports.contract.ts';
import { messageOf } from '../../api/client.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { showToast } from '../../components/toast-store.ts';
import { density } from '../../lib/density.ts';
import { LINK } from '../../lib/page-link.tsx';
import { writeSearch } from '../../lib/search-text.ts';
import { useStore } from '../../lib/store.ts';
import { chooseColumn, chosenColumns, COLUMNS, type ColumnName } from './columns.ts';
import { writeView, type View } from './filters.ts';
import { Popover } from './popover.tsx';
import { printList } from './printed-list.tsx';
import { savedViews, saveView, forgetView } from './saved-views.ts';
import type { ViewInAddress } from './use-view.ts';

const FORMATS = { csv: 'CSV, for spreadsheets', json: 'JSON', ndjson: 'NDJSON, one record per line' } as const;

/** The rows of the list as a file or on paper, in its order. */
export function ExportMenu({ view }: { view: View }) {
  const printAll = async (): Promise<void> => {
    try {
      await printList(view);
    } catch (error) {
      showToast(messageOf(error));
    }
  };
  return (
    <Popover icon={Download} label="Export">
      <p className="mb-2 text-sm text-muted">All rows that match, in the order of the list.</p>
      <ul>
        {Object.entries(FORMATS).map(([format, words]) => (
          <li key={format}>
            <a
              className={`${LINK} target flex items-center`}
              href={
                exportTransactions.path + writeSearch({ ...view.filters, sort: view.sort, order: view.order, format })
              }
              download
            >
              {words}
            </a>
          </li>
        ))}
      </ul>
      <Button icon={Printer} className="mt-2" onClick={() => void printAll()}>
        Print
      </Button>
      <p className="mt-4 mb-2 text-sm text-muted">
        Everything in one file: all transactions, accounts, balances and rules as CSV, JSON and Beancount.
      </p>
      <HouseholdExport />
    </Popover>
  );
}

function HouseholdExport() {
  const reason = useReasonAgainst('admin');
  const words = 'Whole household (zip)';
  if (reason !== undefined) {
    return (
      <Button icon={Archive} disabledReason={reason}>
        {words}
      </Button>
    );
  }
  return (
    <a className={buttonClass('secondary')} href={exportHousehold.path} download>
      <Archive aria-hidden size={18} className="shrink-0" />
      {words}
    </a>
  );
}

/** What of each row is shown, and how close together rows are, on this browser. */
export function ColumnsMenu() {
  const columns = useStore(chosenColumns);
  const chosen = useStore(density);
  return (
    <Popover icon={SlidersHorizontal} label="Columns">
      <fieldset>
        <legend className="mb-1 text-sm text-muted">Columns</legend>
        {(Object.entries(COLUMNS) as [ColumnName, string][]).map(([name, words]) => (
          <label key={name} className="target flex items-center gap-3">
            <input
              type="checkbox"
              className="size-5 accent-accent"
              checked={columns.has(name)}
              onChange={(event) => chooseColumn(name, event.currentTarget.checked)}
            />
            {words}
          </label>
        ))}
      </fieldset>
      <p className="mt-1 mb-3 text-xs text-muted">
        The running balance needs one account and no other filter but dates.
      </p>
      <Segmented
        label="Density"
        value={chosen}
        options={[
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ]}
        onChange={density.set}
      />
    </Popover>
  );
}

/** Views that are kept by name on this browser. */
export function ViewsMenu({ view, show }: { view: View; show: ViewInAddress['show'] }) {
  const views = useStore(savedViews);
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      <Popover icon={Bookmark} label="Views">
        {views.length === 0 && (
          <p className="mb-2 text-sm text-muted">Filters and order, kept by name on this browser.</p>
        )}
        <ul>
          {views.map(({ name, view: saved }) => (
            <li key={name} className="flex items-center gap-2">
              <button
                type="button"
                className="target min-w-0 flex-1 truncate rounded-control px-2 text-left hover:bg-sunken"
                onClick={() => show(saved)}
              >
                <bdi>{name}</bdi>
              </button>
              <button
                type="button"
                aria-label={`Forget ${name}`}
                className={`${LINK} target px-2 text-sm`}
                onClick={() => forgetView(name)}
              >
                Forget
              </button>
            </li>
          ))}
        </ul>
        <Button look="quiet" onClick={() => setNaming(true)}>
          Save this view…
        </Button>
      </Popover>
      <Dialog open={isNaming} title="Save this view" onClose={() => setNaming(false)}>
        <NameForm
          onSave={(name) => {
            saveView(name, writeView(view));
            setNaming(false);
          }}
        />
      </Dialog>
    </>
  );
}

const NAME_CHARS = 60;

function NameForm({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const id = useId();
  const isEmpty = name.trim() === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSave(name.trim());
      }}
    >
      <label htmlFor={id} className="mb-1 block font-medium">
        Name
      </label>
      <input
        id={id}
        className="field target"
        value={name}
        maxLength={NAME_CHARS}
        autoComplete="off"
        data-may-be-lost
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className="mt-6">
        <Button type="submit" look="primary" disabledReason={isEmpty ? 'Give it a name first.' : undefined}>
          Save
        </Button>
      </div>
    </form>
  );
}
