import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { createAccountLink } from '../../../src/features/account-links/account-links.contract.ts';
import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox, Select } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { DryRunResult } from './dry-run-result.tsx';
import { TOLERANCES } from './link-words.tsx';

type Account = OutputOf<typeof listAccounts>[number];

/** What a form holds is text. */
const CHOSEN = {
  body: z.object({
    primary_account_id: z.string().min(1, 'Choose an account'),
    dependent_account_id: z.string().min(1, 'Choose an account'),
    match_tolerance_days: z.string(),
    attribute: z.boolean(),
  }),
};
type Chosen = z.output<typeof CHOSEN.body>;

interface NewLinkProps {
  /** The account that is chosen to begin with. */
  primaryId?: string | undefined;
  onClose: () => void;
}

export function NewLinkDialog({ primaryId, onClose }: NewLinkProps) {
  const accounts = useApiQuery(listAccounts, { query: { include_disconnected: 'true' } });
  return (
    <Dialog open wide title="Link two accounts" onClose={onClose}>
      <Loaded query={accounts} lines={6}>
        {(list) => <NewLink accounts={list} primaryId={primaryId} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

/** Asks for the two accounts, and shows what would match before anything is linked. */
function NewLink({ accounts, primaryId = '', onClose }: NewLinkProps & { accounts: readonly Account[] }) {
  const create = useApiWrite(createAccountLink, { undo: 'Accounts linked', onSuccess: onClose });
  const [isInsisting, insist] = useState(false);
  const form = useOperationForm(CHOSEN, {
    defaults: { primary_account_id: primaryId, dependent_account_id: '', match_tolerance_days: '0', attribute: true },
    send: (values) => create.mutateAsync({ body: { ...bodyOf(values), force: isInsisting } }),
  });
  const values = useWatch({ control: form.control }) as Chosen;
  const isComplete = values.primary_account_id !== '' && values.dependent_account_id !== '';
  const isSame = isComplete && values.primary_account_id === values.dependent_account_id;
  const dryRun = useApiQuery(
    createAccountLink,
    { body: { ...bodyOf(values), dry_run: true } },
    { enabled: isComplete && !isSame, placeholderData: (earlier) => earlier, staleTime: 0 },
  );
  const preview = isComplete && dryRun.data && 'dry_run' in dryRun.data ? dryRun.data : undefined;
  const isRefused = preview?.refused === true && !isInsisting;
  const options = [{ value: '', label: 'Choose an account' }, ...accounts.map(toOption)];
  return (
    <Form form={form} submit="Link the accounts" onCancel={onClose} disabledReason={reasonAgainst(isRefused)}>
      <Select name="primary_account_id" label="Primary account: the owner’s own" options={options} />
      <Select
        name="dependent_account_id"
        label="Copy: the same card, seen by somebody else"
        hint="All of its transactions leave the totals."
        options={options}
      />
      <Select
        name="match_tolerance_days"
        label="How far apart dates may be"
        hint="Banks may book a purchase on different days."
        options={TOLERANCES}
      />
      <Checkbox
        name="attribute"
        label="Attribute matched purchases to the owner of the copy"
        hint="Turn this off if the copy shows the whole account rather than one person’s purchases."
      />
      {isSame && <Banner tone="warning">Choose two different accounts.</Banner>}
      {isComplete && !isSame && (
        <section aria-label="What would match" aria-busy={dryRun.isFetching} className="mt-4">
          {preview ? <DryRunResult preview={preview} /> : <Loaded query={dryRun}>{() => <Skeleton />}</Loaded>}
          {isRefused && (
            <Button look="danger" onClick={() => insist(true)}>
              Link anyway
            </Button>
          )}
          {isInsisting && preview?.refused === true && (
            <Banner tone="warning">Press “Link the accounts” if you are sure.</Banner>
          )}
        </section>
      )}
    </Form>
  );
}

function reasonAgainst(isRefused: boolean): string | undefined {
  return isRefused ? 'The two do not look like copies of one account.' : undefined;
}

function bodyOf({ match_tolerance_days: days, ...values }: Chosen) {
  return { ...values, match_tolerance_days: Number(days) };
}

function toOption(account: Account): { value: string; label: string } {
  const parts = [account.institution_name, account.owner_user_name].filter((part) => typeof part === 'string');
  const name = account.display_name ?? account.name ?? account.short_id;
  return { value: account.id, label: parts.length === 0 ? name : `${name} (${parts.join(', ')})` };
}
