import { useState } from 'react';
import { useFormContext, useFormState, useWatch } from 'react-hook-form';

import { useTimezone } from '../../../api/timezone.ts';
import { Checkbox, CheckboxGroup } from '../../../components/choice-fields.tsx';
import { FieldFrame, useField } from '../../../components/field.tsx';
import { TRIGGER_WORDS } from '../../../components/rule/rule-words.ts';
import { dayIn, inWords, startOfDay } from '../../../lib/days.ts';
import type { Values } from './values.ts';

const NAMES = ['triggers', 'priority', 'stop', 'overwrite_manual', 'expires_at', 'enabled'] as const;
const TRIGGERS = (Object.entries(TRIGGER_WORDS) as [Values['triggers'][number], { long: string }][]).map(
  ([value, { long }]) => ({ value, label: long.charAt(0).toUpperCase() + long.slice(1) }),
);

/** What most rules leave as it is, with what it is now. */
export function MoreFields() {
  const { errors } = useFormState();
  const isWrong = NAMES.some((name) => errors[name] !== undefined);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="mb-6 rounded-card border border-line bg-surface px-4 sm:px-6"
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="target py-3">
        <span className="font-semibold">More</span>
        <span className="ml-2 text-sm text-muted">
          <InWords />
        </span>
      </summary>
      <div className="pt-2 pb-4">
        <CheckboxGroup name="triggers" label="When it runs" options={TRIGGERS} />
        <Priority />
        <Checkbox
          name="stop"
          label="Stop after it"
          hint="Rules that run later leave the transactions alone that this one matches."
        />
        <Checkbox
          name="overwrite_manual"
          label="Also overwrite what people chose"
          hint="Otherwise what a person or agent decided stays."
        />
        <Expiry />
        <Checkbox name="enabled" label="Switched on" />
      </div>
    </details>
  );
}

/** "New and changed, apply all, applied alone; priority 100". */
function InWords() {
  const [triggers, priority, stop, overwrites, expiry, isEnabled] = useWatch({ name: [...NAMES] }) as [
    Values['triggers'],
    number,
    boolean,
    boolean,
    string | null,
    boolean,
  ];
  const timezone = useTimezone();
  const parts = [
    ...(isEnabled ? [] : ['switched off']),
    `runs on: ${triggers.length === 0 ? 'nothing' : triggers.map((one) => TRIGGER_WORDS[one].short).join(', ')}`,
    `priority ${priority}`,
    ...(stop ? ['stops after it'] : []),
    ...(overwrites ? ['overwrites what people chose'] : []),
    ...(expiry ? [`until ${inWords(dayIn(timezone ?? 'UTC', expiry))}`] : []),
  ];
  return <>{parts.join(' · ')}</>;
}

const MOST_PRIORITY = 1_000;

function Priority() {
  const { setValue } = useFormContext();
  const value: unknown = useWatch({ name: 'priority' });
  const hint = 'Lower numbers run first; what runs later wins.';
  const parts = useField({ name: 'priority', hint });
  return (
    <FieldFrame parts={parts} label="Priority" hint={hint}>
      <input
        id={parts.id}
        type="number"
        min={0}
        max={MOST_PRIORITY}
        step={1}
        value={Number.isNaN(value) ? '' : String(value)}
        aria-invalid={parts.error !== undefined}
        aria-describedby={parts.describedBy}
        onChange={(event) =>
          setValue('priority', event.currentTarget.valueAsNumber, { shouldDirty: true, shouldValidate: true })
        }
        className="field target w-28!"
      />
    </FieldFrame>
  );
}

/** A day of the household: from its first moment on the rule does nothing. */
function Expiry() {
  const { setValue } = useFormContext();
  const timezone = useTimezone() ?? 'UTC';
  const at = useWatch({ name: 'expires_at' }) as string | null;
  const hint = 'From this day on it does nothing. Empty: it has no end.';
  const parts = useField({ name: 'expires_at', hint });
  return (
    <FieldFrame parts={parts} label="Ends on" optional hint={hint}>
      <input
        id={parts.id}
        type="date"
        value={at ? dayIn(timezone, at) : ''}
        aria-invalid={parts.error !== undefined}
        aria-describedby={parts.describedBy}
        onChange={({ currentTarget: { value } }) =>
          setValue('expires_at', value === '' ? null : startOfDay(timezone, value), { shouldDirty: true })
        }
        className="field target w-44!"
      />
    </FieldFrame>
  );
}
