import { useState } from 'react';

import { Checkbox, Select } from '../../../components/choice-fields.tsx';
import { Form, type OperationForm } from '../../../components/form.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { TextField } from '../../../components/text-fields.tsx';
import { currencyOptions, timezoneOptions } from './places.ts';
import type { Household } from './setup-forms.ts';

/** Step 2: what the household is called, and how its money and days are counted. */
export function HouseholdStep({ form, onBack }: { form: OperationForm<Household>; onBack: () => void }) {
  const [currencies] = useState(() => [{ value: '', label: 'Decide later' }, ...currencyOptions()]);
  const [timezones] = useState(timezoneOptions);
  return (
    <>
      <PageHeader key="household" title="Your household" lead="Step 2 of 2. You can change all of this later." />
      <Form form={form} submit="Set up Homeledger" onCancel={onBack} cancel="Back">
        <TextField name="household_name" label="Name" optional placeholder="Household" autoComplete="off" />
        <Select
          name="default_currency"
          label="Currency"
          hint="Used for bank files that do not name a currency."
          options={currencies}
        />
        <Select name="timezone" label="Time zone" hint="Decides when a day begins and ends." options={timezones} />
        <Checkbox
          name="create_api_key"
          label="Create a first API key"
          hint="Lets a script or an AI agent use your ledger. You can also create one later."
        />
      </Form>
    </>
  );
}
