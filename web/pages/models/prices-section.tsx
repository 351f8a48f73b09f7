import { useState } from 'react';
import { z } from 'zod';

import {
  getWorkflowSettings,
  updateWorkflowSettings,
} from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { refresh, useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { inWords } from '../../lib/days.ts';
import { LANGUAGE } from '../../lib/language.ts';
import { inFields, useLatest } from '../../components/stored-record.ts';
import type { Settings, StoredSettings } from './models-page.tsx';

type Price = Settings['effective_prices'][number];

const dollars = (form: RegExp) => z.string().regex(form, 'must be an amount such as 0.25');
const AMOUNT = /^\d{1,5}(\.\d{1,6})?$/;
const MAYBE = /^(\d{1,5}(\.\d{1,6})?)?$/;
const FIELDS = {
  body: z.object({
    model: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
    input: dollars(AMOUNT),
    output: dollars(AMOUNT),
    cacheRead: dollars(MAYBE),
    cacheWrite: dollars(MAYBE),
  }),
};

/** What models cost. Without a price, nothing can be said about what a run costs, and no limit in dollars holds. */
export function PricesSection({ settings: stored }: { settings: StoredSettings }) {
  const { value: settings, etag } = stored.known;
  const [edited, edit] = useState<Price | 'new' | null>(null);
  const update = useApiWrite(updateWorkflowSettings, { refreshes: [getWorkflowSettings] });
  const remove = ({ model }: Price): void =>
    update.mutate(
      { body: { prices: without(settings, model) }, ifMatch: etag ?? undefined },
      { onError: () => void refresh([getWorkflowSettings]) },
    );
  return (
    <Section title="Prices" actions={<Button onClick={() => edit('new')}>Add a price</Button>}>
      <p className="mb-4 max-w-prose text-muted">
        US dollars per million tokens. A run with a model that has no price counts as free, and no limit in dollars
        stops it.
      </p>
      {update.isError && edited === null && <ErrorBanner error={update.error} />}
      <DataTable
        caption="Prices of models"
        rows={settings.effective_prices}
        keyOf={({ model }) => model}
        empty={<p>No prices.</p>}
        columns={[
          ...COLUMNS,
          {
            title: 'Actions',
            isActions: true,
            align: 'end',
            cell: (row) => (
              <span className="inline-flex flex-wrap gap-2">
                <Button aria-label={`Change the price of ${row.model}`} onClick={() => edit(row)}>
                  Change
                </Button>
                {row.source === 'settings' && (
                  <Button
                    aria-label={`Remove the price of ${row.model}`}
                    busy={update.isPending}
                    onClick={() => remove(row)}
                  >
                    Remove
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      {edited !== null && (
        <PriceDialog settings={stored} price={edited === 'new' ? null : edited} onClose={() => edit(null)} />
      )}
    </Section>
  );
}

const perMillion = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 2, maximumFractionDigits: 6 });

const COLUMNS: readonly Column<Price>[] = [
  { title: 'Model', isRowHeader: true, cell: ({ model }) => <code className="wrap-anywhere">{model}</code> },
  { title: 'Input', align: 'end', cell: (row) => perMillion.format(row.input_per_mtok) },
  { title: 'Output', align: 'end', cell: (row) => perMillion.format(row.output_per_mtok) },
  {
    title: 'Cache read',
    align: 'end',
    cell: (row) => perMillion.format(row.cache_read_per_mtok ?? row.input_per_mtok),
  },
  {
    title: 'Cache write',
    align: 'end',
    cell: (row) => perMillion.format(row.cache_write_per_mtok ?? row.input_per_mtok),
  },
  { title: 'From', cell: (row) => (row.source === 'settings' ? 'You' : fromHomeledger(row.as_of)) },
];

/** Prices that came with the program say when they were looked up. */
function fromHomeledger(asOf: string | null): string {
  return asOf === null ? 'Homeledger' : `Homeledger, ${inWords(asOf)}`;
}

function without({ prices }: Settings, model: string): Settings['prices'] {
  return prices.filter((row) => row.model !== model);
}

/** What the fields hold of a price; of none, nothing. */
function fieldsOf(price: Price | null | undefined) {
  const text = (amount: number | null | undefined): string => String(amount ?? '');
  return {
    model: price?.model ?? '',
    input: text(price?.input_per_mtok),
    output: text(price?.output_per_mtok),
    cacheRead: text(price?.cache_read_per_mtok),
    cacheWrite: text(price?.cache_write_per_mtok),
  };
}

interface PriceDialogProps {
  settings: StoredSettings;
  /** null: a new one. */
  price: Price | null;
  onClose: () => void;
}

function PriceDialog({ settings, price, onClose }: PriceDialogProps) {
  const update = useApiWrite(updateWorkflowSettings, { refreshes: [getWorkflowSettings] });
  const { latest, ...read } = useLatest(settings);
  const record = inFields(read, ({ effective_prices: all }) =>
    fieldsOf(all.find(({ model }) => model === price?.model)),
  );
  const form = useOperationForm(FIELDS, {
    defaults: record.values,
    record,
    send: async ({ model, input, output, cacheRead, cacheWrite }, ifMatch) => {
      const own = {
        model: model.trim(),
        input_per_mtok: Number(input),
        output_per_mtok: Number(output),
        cache_read_per_mtok: cacheRead === '' ? null : Number(cacheRead),
        cache_write_per_mtok: cacheWrite === '' ? null : Number(cacheWrite),
      };
      await update.mutateAsync({ body: { prices: [...without(latest(), own.model), own] }, ifMatch });
      onClose();
    },
  });
  return (
    <Dialog open title={price === null ? 'Add a price' : `Price of ${price.model}`} onClose={onClose}>
      <Form form={form} submit="Save price" onCancel={onClose}>
        {price === null && <TextField name="model" label="Model" monospaced autoFocus />}
        <TextField name="input" label="Input" inputMode="decimal" hint="US dollars per million tokens." />
        <TextField name="output" label="Output" inputMode="decimal" />
        <TextField
          name="cacheRead"
          label="Read from the cache"
          inputMode="decimal"
          optional
          hint="If empty: as input."
        />
        <TextField
          name="cacheWrite"
          label="Written to the cache"
          inputMode="decimal"
          optional
          hint="If empty: as input."
        />
      </Form>
    </Dialog>
  );
}
