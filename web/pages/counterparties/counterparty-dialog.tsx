import { useState } from 'react';

import {
  createCounterparty,
  deleteCounterparty,
  getCounterparty,
  mergeCounterparties,
  updateCounterparty,
} from '../../../src/features/counterparties/counterparties.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiQuery, useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/choice-fields.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, Drawer } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { NewestMembers } from '../../components/newest-members.tsx';
import { CounterpartyPicker } from '../../components/pickers/counterparty-picker.tsx';
import { RulesThatAssign } from '../../components/rules-that-assign.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { counted, listed } from '../../lib/numbers.ts';
import type { Counterparty, CounterpartyAction } from './counterparties-page.tsx';

interface OfOne {
  one: Counterparty;
  onClose: () => void;
}

export function CounterpartyDialog({ action, onClose }: { action: CounterpartyAction; onClose: () => void }) {
  if (action.kind === 'delete') return <DeleteDialog one={action.one} onClose={onClose} />;
  if (action.kind === 'show') {
    const { one } = action;
    return (
      <Drawer open title={one.name} onClose={onClose}>
        <NewestMembers of={{ counterparty_id: one.id }} />
        <RulesThatAssign of={{ counterparty_id: one.id }} empty="No rule assigns it." />
      </Drawer>
    );
  }
  return (
    <Dialog open title={titleOf(action)} onClose={onClose}>
      {action.kind === 'new' && <NewCounterparty onClose={onClose} />}
      {action.kind === 'edit' && <EditCounterparty one={action.one} onClose={onClose} />}
      {action.kind === 'merge' && <Merge one={action.one} onClose={onClose} />}
    </Dialog>
  );
}

function titleOf(action: Exclude<CounterpartyAction, { kind: 'delete' | 'show' }>): string {
  if (action.kind === 'new') return 'New counterparty';
  return action.kind === 'edit' ? `Edit ${action.one.name}` : `Merge ${action.one.name} into another`;
}

function NewCounterparty({ onClose }: { onClose: () => void }) {
  const create = useApiWrite(createCounterparty, { undo: ({ name }) => `“${name}” made`, onSuccess: onClose });
  const form = useOperationForm(createCounterparty, {
    defaults: { name: '', website_url: '', category_id: '', mcc: '' },
    guarded: true,
    send: (body) => create.mutateAsync({ body }),
  });
  return (
    <Form form={form} submit="Make it" onCancel={onClose}>
      <Fields />
    </Form>
  );
}

function EditCounterparty({ one, onClose }: OfOne) {
  const record = useApiRecord(getCounterparty, { params: { id: one.id } });
  return (
    <Loaded query={record} lines={6}>
      {(known) => <EditForm known={known} reread={record.reread} onClose={onClose} />}
    </Loaded>
  );
}

interface EditFormProps {
  known: KnownRecord<Counterparty>;
  reread: () => Promise<KnownRecord<Counterparty>>;
  onClose: () => void;
}

function EditForm({ known, reread, onClose }: EditFormProps) {
  const update = useApiWrite(updateCounterparty, { undo: 'Counterparty changed', onSuccess: onClose });
  const record = inFields({ known, reread }, (of) => ({
    name: of.name,
    website_url: of.website_url ?? '',
    category_id: of.category_id ?? '',
    mcc: of.mcc ?? '',
  }));
  const form = useOperationForm(updateCounterparty, {
    defaults: record.values,
    record,
    guarded: true,
    send: (body, ifMatch) => update.mutateAsync({ params: { id: known.value.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <Fields />
    </Form>
  );
}

function Fields() {
  const categories = [...(useCategories()?.values() ?? [])].filter(({ archived }) => !archived);
  return (
    <>
      <TextField name="name" label="Name" autoComplete="off" />
      <TextField name="website_url" label="Web address" type="url" optional />
      <Select
        name="category_id"
        label="Category"
        hint="It describes the counterparty. Rules decide the category of its transactions."
        options={[
          { value: '', label: 'None' },
          ...categories.map(({ id, name, parent_id: parent }) => ({
            value: id,
            label: parent === null ? name : `\u2003${name}`,
          })),
        ]}
      />
      <TextField name="mcc" label="Merchant category code" inputMode="numeric" optional hint="Four digits." />
    </>
  );
}

/** Chooses the other one, shows what would move there, and moves it. */
function Merge({ one, onClose }: OfOne) {
  const [target, choose] = useState<string | null>(null);
  if (target === null) {
    return (
      <>
        <p className="mb-3 text-muted">Its transactions and rules get the other one.</p>
        <CounterpartyPicker
          label={`Merge ${one.name} into`}
          value={null}
          allowsNew={false}
          autoFocus
          className="block"
          onPick={(id) => choose(id === one.id ? null : id)}
          onCancel={(via) => via === 'escape' && onClose()}
        />
      </>
    );
  }
  return <Plan one={one} target={target} onBack={() => choose(null)} onClose={onClose} />;
}

function Plan({ one, target, onBack, onClose }: OfOne & { target: string; onBack: () => void }) {
  const body = { from_counterparty_id: one.id };
  const params = { id: target };
  const plan = useApiQuery(mergeCounterparties, { params, body: { ...body, dry_run: true } }, { gcTime: 0 });
  const merge = useApiWrite(mergeCounterparties, { undo: `${one.name} merged`, onSuccess: onClose });
  return (
    <Loaded query={plan} lines={3}>
      {({ counterparty, moved }) => (
        <>
          <p>
            <bdi className="font-semibold">{counterparty.name}</bdi> gets{' '}
            {listed([
              counted(moved.transactions, 'transaction'),
              counted(moved.rules, 'rule'),
              moved.counterparties > 0 && counted(moved.counterparties, 'counterparty', 'counterparties'),
            ])}
            . This can be undone.
          </p>
          {merge.error && <ErrorBanner error={merge.error} />}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Button onClick={onBack}>Choose another</Button>
            <Button look="primary" busy={merge.isPending} onClick={() => merge.mutate({ params, body })}>
              Merge
            </Button>
          </div>
        </>
      )}
    </Loaded>
  );
}

function DeleteDialog({ one, onClose }: OfOne) {
  const remove = useApiWrite(deleteCounterparty, { undo: `“${one.name}” deleted` });
  const count = one.transaction_count ?? 0;
  return (
    <ConfirmDialog
      open
      title={`Delete ${one.name}?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync({ params: { id: one.id } })}
      onClose={onClose}
    >
      {count === 0
        ? 'No transaction has it. This can be undone.'
        : `${counted(count, 'transaction')} ${count === 1 ? 'has' : 'have'} it. Merge it into another one instead, or take them out of it first.`}
    </ConfirmDialog>
  );
}
