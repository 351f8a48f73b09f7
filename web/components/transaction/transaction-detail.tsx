import { ChevronRight, ListChecks, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';

import { listAnnotations } from '../../../src/features/annotations/annotations.contract.ts';
import { explainTransaction } from '../../../src/features/rules/rule-insights.contract.ts';
import {
  deleteTransaction,
  restoreTransaction,
} from '../../../src/features/transactions/transaction-writes.contract.ts';
import { useAccounts, useMembers } from '../../api/lists.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { inWords } from '../../lib/days.ts';
import { usePrivacy } from '../../lib/privacy.ts';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';
import { LINK } from '../../lib/page-link.tsx';
import { Banner, ErrorBanner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { Money } from '../money.tsx';
import { preloadPickers } from '../pickers/later-pickers.tsx';
import { startFrom } from '../rule/rule-start.ts';
import { useMakeRule } from '../rule/use-make-rule.ts';
import { Loaded } from '../skeleton.tsx';
import { CopyButton } from '../snippet.tsx';
import { Status } from '../status.tsx';
import { BankFields } from './bank-fields.tsx';
import { CategoryGlyph } from './category-chip.tsx';
import { DetailFields } from './detail-fields.tsx';
import { ExplainedRules } from './explained-rules.tsx';
import { LinkMatches } from './link-matches.tsx';
import { MetadataTable } from './metadata-table.tsx';
import { Origin } from './origin.tsx';
import { Timeline } from './timeline.tsx';
import { NOT_IN_TOTALS, type TransactionRecord } from './transaction-row.tsx';
import { whichOf } from './transaction-words.ts';
import { useTransactionEdit } from './use-transaction-edit.ts';

/** Everything about one transaction, in the drawer and on its own page. */
export function TransactionDetail({ id, read }: { id: string; read: TransactionRecord }) {
  const editing = useTransactionEdit(read, id);
  useEffect(() => void preloadPickers(), []);
  // Names of controls hold the amount.
  usePrivacy();
  const { record } = editing;
  const isDeleted = isSet(record.deleted_at);
  const right = useReasonAgainst('full_access');
  const reason = isDeleted ? 'Restore the transaction first.' : right;
  const timeline = useApiQuery(listAnnotations, { params: { id }, query: { include_deleted: 'true' } });
  const explained = useApiQuery(
    explainTransaction,
    { params: { id }, query: { include: 'matched' } },
    { enabled: !isDeleted, placeholderData: (earlier) => earlier },
  );
  return (
    <>
      {isDeleted && <DeletedBanner record={record} right={right} />}
      <Head record={record} />
      <DetailFields editing={editing} decisions={explained.data?.fields ?? []} />
      <Part title="What happened">
        <Loaded query={timeline} lines={3}>
          {(entries) => <Timeline record={record} entries={entries} reason={reason} />}
        </Loaded>
      </Part>
      <LinkMatches record={record} />
      <Fold title="What the rules say">
        {isDeleted ? (
          <p className="text-muted">Rules leave deleted transactions alone.</p>
        ) : (
          <ExplainedRules record={record} />
        )}
      </Fold>
      <Fold title="Metadata" isOpen={Object.keys(record.metadata ?? {}).length > 0}>
        <MetadataTable editing={editing} />
      </Fold>
      <Fold title="What the bank said">
        <BankFields record={record} />
      </Fold>
      <p className="mt-4 text-sm text-muted wrap-anywhere">
        <Origin record={record} first={timeline.data?.[0]} />
      </p>
      <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
        <CopyButton label="Copy the link" text={`${location.origin}/transactions/${record.short_id}`} />
        {!isDeleted && <MakeRuleButton record={record} right={right} />}
        {!isDeleted && <DeleteButton record={record} right={right} />}
      </div>
    </>
  );
}

/** Amount, days, account and whose it is. */
function Head({ record }: { record: TransactionRecord }) {
  const { date = '', authorized_date: bought, excluded_from_totals: excluded, account_id: account } = record;
  const accounts = useAccounts();
  const members = useMembers();
  const bank = accounts?.find(({ id }) => id === account);
  const owner = members?.find(({ short_id: id }) => id === record.user_id)?.name;
  const name = <bdi>{record.account_name}</bdi>;
  return (
    <div className="mb-4 flex items-start gap-4">
      <CategoryGlyph id={record.category?.id} size="lg" />
      <div className="min-w-0">
        <p className="font-serif text-3xl font-semibold tracking-tight max-[22.4rem]:text-2xl">
          <Money amount={record.amount ?? '0.00'} currency={record.iso_currency_code ?? null} />
        </p>
        <p>
          {inWords(date, 'long')}
          {bought && bought !== date && <span className="text-muted"> · bought {inWords(bought, 'dayOfYear')}</span>}
        </p>
        <p className="text-muted wrap-anywhere">
          <PageLinkIfThere to="/accounts/{id}" params={{ id: bank?.short_id ?? '' }} otherwise={name}>
            {(link) => (bank ? link(name, LINK) : name)}
          </PageLinkIfThere>
          {bank?.institution_name && bank.institution_name !== record.account_name && (
            <>
              {' · '}
              <bdi>{bank.institution_name}</bdi>
            </>
          )}
          {owner !== undefined && members && members.length > 1 && (
            <>
              {' · '}
              <bdi>{owner}</bdi>
            </>
          )}
        </p>
        <p className="mt-1 flex flex-wrap gap-2 empty:hidden">
          {record.pending === true && <Status>Pending: the bank has not booked it yet</Status>}
          {excluded && <Status>{NOT_IN_TOTALS[excluded]}</Status>}
        </p>
      </div>
    </div>
  );
}

function DeletedBanner({ record, right }: { record: TransactionRecord; right: string | undefined }) {
  const restore = useApiWrite(restoreTransaction, { undo: 'Transaction restored' });
  return (
    <>
      {restore.error !== null && <ErrorBanner error={restore.error} />}
      <Banner
        tone="warning"
        title="This transaction is deleted"
        actions={
          <Button
            icon={RotateCcw}
            disabledReason={right}
            busy={restore.isPending}
            onClick={() => restore.mutate({ params: { id: record.id } })}
          >
            Restore
          </Button>
        }
      >
        <p>It is in no total and no list. Restoring it brings back its category, tags and comments.</p>
      </Banner>
    </>
  );
}

function MakeRuleButton({ record, right }: { record: TransactionRecord; right: string | undefined }) {
  const make = useMakeRule();
  return (
    <Button icon={ListChecks} disabledReason={right} onClick={() => make(startFrom([record]) ?? {})}>
      Make a rule
    </Button>
  );
}

function DeleteButton({ record, right }: { record: TransactionRecord; right: string | undefined }) {
  const [isAsking, ask] = useState(false);
  const remove = useApiWrite(deleteTransaction, { undo: 'Transaction deleted' });
  return (
    <>
      <Button icon={Trash2} disabledReason={right} onClick={() => ask(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Delete ${whichOf(record)}?`}
        action="Delete"
        onConfirm={() => remove.mutateAsync({ params: { id: record.id } })}
        onClose={() => ask(false)}
      >
        It leaves all lists and totals. You can restore it with everything it has; imports and syncs do not bring it
        back.
      </ConfirmDialog>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4 border-t border-line pt-4">
      <h2 className="mb-3 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** A part that few look at. What is in it is read only when it is opened. */
function Fold({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  const [isShown, show] = useState(isOpen);
  return (
    <details
      className="mt-4 border-t border-line pt-2"
      open={isOpen}
      onToggle={(event) => show(event.currentTarget.open || isShown)}
    >
      <summary className="target flex items-center gap-2 font-semibold">
        <ChevronRight aria-hidden size={16} className="text-muted transition-transform [[open]>summary>&]:rotate-90" />
        {title}
      </summary>
      <div className="pt-2">{isShown && children}</div>
    </details>
  );
}

function isSet(value: string | null | undefined): boolean {
  return value !== null && value !== undefined;
}
