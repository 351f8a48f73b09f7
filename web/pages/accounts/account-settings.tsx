import { getAccount, updateAccount } from '../../../src/features/accounts/accounts.contract.ts';
import { useMembers } from '../../api/lists.ts';
import { useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Checkbox, Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { isByHand, TYPE_OPTIONS, typeName, type Account, type Detail } from './account-words.tsx';

/** What the household says about the account; of one kept by hand or by files also what a bank would say. */
export function AccountSettings({ account }: { account: Detail }) {
  const record = useApiRecord(getAccount, { params: { id: account.id } });
  return (
    <Section title="Settings">
      <Loaded query={record} lines={6}>
        {(known) => <SettingsForm known={known} reread={record.reread} inherited={account.connection_user_name} />}
      </Loaded>
    </Section>
  );
}

/** What a form holds is text. */
function valuesOf(account: Account) {
  return {
    display_name: account.display_name ?? '',
    owner_user_id: account.owner_user_id ?? '',
    is_excluded: account.is_excluded === true,
    is_dependent_linked: account.is_dependent_linked === true,
    ...(isByHand(account)
      ? {
          name: account.name ?? '',
          type: account.type ?? 'other',
          subtype: account.subtype ?? '',
          ...(account.iso_currency_code == null ? {} : { iso_currency_code: account.iso_currency_code }),
        }
      : {}),
  };
}

interface SettingsFormProps {
  known: KnownRecord<Account>;
  reread: () => Promise<KnownRecord<Account>>;
  /** Whose the account is unless somebody else is named. */
  inherited: string | null;
}

function SettingsForm({ known, reread, inherited }: SettingsFormProps) {
  const { value: account } = known;
  const right = useReasonAgainst('full_access');
  const members = useMembers() ?? [];
  const record = inFields({ known, reread }, valuesOf);
  const update = useApiWrite(updateAccount, { undo: 'Account changed' });
  const form = useOperationForm(updateAccount, {
    defaults: record.values,
    record,
    guarded: true,
    send: (body, ifMatch) => update.mutateAsync({ params: { id: account.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" disabledReason={right}>
      <TextField
        name="display_name"
        label="Label"
        optional
        autoComplete="off"
        disabledReason={right}
        hint={`The household’s own name for it. Empty shows “${account.name}”.`}
      />
      <Select
        name="owner_user_id"
        label="Owner"
        disabledReason={right}
        options={[
          { value: '', label: inherited === null ? 'Nobody in particular' : `As the connection: ${inherited}` },
          ...members.map(({ short_id: value, name: label }) => ({ value, label })),
        ]}
      />
      <Checkbox
        name="is_excluded"
        label="Leave it out of totals"
        disabledReason={right}
        hint="Its transactions stay in lists, and it is synced and imported as before."
      />
      <Checkbox
        name="is_dependent_linked"
        label="It is a copy of another account"
        disabledReason={right}
        hint="Totals leave out a copy, so that what two accounts show counts once."
      />
      {isByHand(account) && <BankFields account={account} right={right} />}
    </Form>
  );
}

/** What a bank would say of its account. */
function BankFields({ account, right }: { account: Account; right: string | undefined }) {
  const { type = 'other' } = account;
  const types = TYPE_OPTIONS.some(({ value }) => value === type)
    ? TYPE_OPTIONS
    : [...TYPE_OPTIONS, { value: type, label: typeName(type) }];
  return (
    <>
      <TextField name="name" label="Name" autoComplete="off" disabledReason={right} />
      <Select name="type" label="Type" disabledReason={right} options={types} />
      <TextField
        name="subtype"
        label="Kind"
        optional
        autoComplete="off"
        disabledReason={right}
        hint="Such as checking, savings or mortgage."
      />
      {account.iso_currency_code !== null && (
        <TextField name="iso_currency_code" label="Currency" autoComplete="off" disabledReason={right} />
      )}
    </>
  );
}
