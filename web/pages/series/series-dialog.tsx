import {
  createSeries,
  deleteSeries,
  getSeries,
  listSeriesPrices,
  updateSeries,
} from '../../../src/features/series/series.contract.ts';
import { useApiQuery, useApiRecord, useApiWrite } from '../../api/queries.ts';
import { Select } from '../../components/choice-fields.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, Drawer } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Money } from '../../components/money.tsx';
import { NewestMembers } from '../../components/newest-members.tsx';
import { RulesThatAssign } from '../../components/rules-that-assign.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { inWords } from '../../lib/days.ts';
import { counted } from '../../lib/numbers.ts';
import type { Series, SeriesAction } from './series-page.tsx';
import { TYPE_OPTIONS } from './series-words.ts';

interface OfOne {
  one: Series;
  onClose: () => void;
}

export function SeriesDialog({ action, onClose }: { action: SeriesAction; onClose: () => void }) {
  if (action.kind === 'delete') return <DeleteDialog one={action.one} onClose={onClose} />;
  if (action.kind === 'show') {
    return (
      <Drawer open title={action.one.name} onClose={onClose}>
        <Prices one={action.one} />
        <NewestMembers of={{ series_id: action.one.id }} />
        <RulesThatAssign of={{ series_id: action.one.id }} empty="No rule assigns it." />
      </Drawer>
    );
  }
  return (
    <Dialog open title={action.kind === 'new' ? 'New series' : `Edit ${action.one.name}`} onClose={onClose}>
      {action.kind === 'new' ? <NewSeries onClose={onClose} /> : <EditSeries one={action.one} onClose={onClose} />}
    </Dialog>
  );
}

/** What it cost, step by step. */
function Prices({ one }: { one: Series }) {
  const prices = useApiQuery(listSeriesPrices, { params: { id: one.id } });
  return (
    <section>
      <h3 className="mb-2 font-semibold">Prices</h3>
      <Loaded query={prices} lines={3}>
        {({ prices: steps }) =>
          steps.length === 0 ? (
            <p className="text-muted">Its amounts vary, or there are too few to tell.</p>
          ) : (
            <ol className="divide-y divide-line">
              {steps.toReversed().map((step) => (
                <li key={step.transaction_id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
                  <span>
                    Since {inWords(step.from)}
                    {!step.confirmed && <span className="text-muted">, paid once so far</span>}
                  </span>
                  <span className="text-right">
                    <Money amount={step.amount} currency={step.iso_currency_code} kind="balance" />
                    {step.change !== null && (
                      <span className="block text-sm text-muted">
                        {step.change.startsWith('-') ? '−' : '+'}
                        <Money
                          amount={step.change.replace('-', '')}
                          currency={step.iso_currency_code}
                          kind="balance"
                        />{' '}
                        ({step.percent?.replace('-', '−')} %)
                      </span>
                    )}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  );
}

function NewSeries({ onClose }: { onClose: () => void }) {
  const create = useApiWrite(createSeries, { undo: ({ name }) => `“${name}” made`, onSuccess: onClose });
  const form = useOperationForm(createSeries, {
    defaults: { name: '', type: 'subscription' },
    guarded: true,
    send: (body) => create.mutateAsync({ body }),
  });
  return (
    <Form form={form} submit="Make the series" onCancel={onClose}>
      <Fields />
    </Form>
  );
}

function EditSeries({ one, onClose }: OfOne) {
  const record = useApiRecord(getSeries, { params: { id: one.id } });
  return (
    <Loaded query={record} lines={4}>
      {(known) => <EditForm record={{ known, reread: record.reread }} onClose={onClose} />}
    </Loaded>
  );
}

function EditForm({ record: read, onClose }: { record: ReadRecord<Series>; onClose: () => void }) {
  const update = useApiWrite(updateSeries, { undo: 'Series changed', onSuccess: onClose });
  const record = inFields(read, ({ name, type }) => ({ name, type }));
  const form = useOperationForm(updateSeries, {
    defaults: record.values,
    record,
    guarded: true,
    send: (body, ifMatch) => update.mutateAsync({ params: { id: read.known.value.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <Fields />
    </Form>
  );
}

function Fields() {
  return (
    <>
      <TextField name="name" label="Name" autoComplete="off" />
      <Select name="type" label="Type" options={TYPE_OPTIONS} />
    </>
  );
}

function DeleteDialog({ one, onClose }: OfOne) {
  const remove = useApiWrite(deleteSeries, { undo: `“${one.name}” deleted` });
  const count = one.transaction_count ?? 0;
  return (
    <ConfirmDialog
      open
      title={`Delete ${one.name}?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync({ params: { id: one.id }, query: { unlink: 'true' } })}
      onClose={onClose}
    >
      {count === 0
        ? 'No transaction is in it.'
        : `${counted(count, 'transaction')} ${count === 1 ? 'is' : 'are'} taken out of it, and ${count === 1 ? 'stays' : 'stay'}.`}{' '}
      This can be undone.
    </ConfirmDialog>
  );
}
