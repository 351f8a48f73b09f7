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
      <PageHeader
        key="household"
        title="Your household"
        lead="Step 2 of 2. All of this can be changed later, under Settings."
      />
      <Form form={form} submit="Set up Homeledger" onCancel={onBack} cancel="Back">
        <TextField name="household_name" label="Name" optional placeholder="Household" autoComplete="off" />
        <Select
          name="default_currency"
          label="Currency"
          hint="The one that bank files mean when they name none."
          options={currencies}
        />
        <Select
          name="timezone"
          label="Time zone"
          hint="Where your days begin and end. Proposed by this browser."
          options={timezones}
        />
        <Checkbox
          name="create_api_key"
          label="Make a first API key"
          hint="For a script or an AI agent that works with your ledger. You can make one at any time."
        />
      </Form>
    </>
  );
}
