import { useId, useState } from 'react';

import { updateAccountLink } from '../../../src/features/account-links/account-links.contract.ts';
import { ApiError } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/choice-fields.tsx';
import { Section } from '../../components/page-header.tsx';
import { attributionInWords, TOLERANCES, type AccountLink } from './link-words.tsx';

/** Tolerance, attribution, and whether the link is in force: each changes at once, and can be undone. */
export function LinkSettings({ link }: { link: AccountLink }) {
  const right = useReasonAgainst('full_access');
  const [wasEnabling, setEnabling] = useState(false);
  const update = useApiWrite(updateAccountLink, { undo: 'Link changed' });
  const change = (body: { attribute?: boolean; enabled?: boolean; match_tolerance_days?: number; force?: boolean }) => {
    setEnabling(body.enabled === true);
    update.mutate({ params: { id: link.id }, body });
  };
  const isRefused = wasEnabling && update.error instanceof ApiError && update.error.status === 409;
  const busy = update.isPending ? 'It is being saved.' : undefined;
  return (
    <Section title="Settings" about="Each change holds at once, and can be undone.">
      {update.error !== null && <ErrorBanner error={update.error} isAboutInput={isRefused} />}
      {isRefused && (
        <Button look="danger" className="mb-4" onClick={() => change({ enabled: true, force: true })}>
          Enable anyway
        </Button>
      )}
      <div className="max-w-xl space-y-3">
        <Switch
          label="Enabled"
          hint="The copy leaves the totals, and its transactions are matched."
          checked={link.enabled}
          disabledReason={right ?? busy}
          onChange={(enabled) => change({ enabled })}
        />
        <Switch
          label="Attribute matched purchases"
          hint={`Attributed to: ${attributionInWords(link)}.`}
          checked={link.attribute}
          disabledReason={right ?? busy}
          onChange={(attribute) => change({ attribute })}
        />
        <Tolerance
          days={link.match_tolerance_days}
          disabledReason={right ?? busy}
          onChange={(days) => change({ match_tolerance_days: days })}
        />
      </div>
    </Section>
  );
}

interface ToleranceProps {
  days: number;
  disabledReason: string | undefined;
  onChange: (days: number) => void;
}

function Tolerance({ days, disabledReason, onChange }: ToleranceProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <label htmlFor={id} className="font-medium">
        How far apart dates may be
      </label>
      <select
        id={id}
        className="field target w-auto"
        value={String(days)}
        disabled={disabledReason !== undefined}
        title={disabledReason}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {TOLERANCES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
