import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getProposal, listProposals } from '../../../src/features/proposals/proposals.contract.ts';
import { nounOf } from '../../components/changes/change-set-words.ts';
import { Money } from '../../components/money.tsx';
import type { StatusTone } from '../../components/status.tsx';
import { inWords } from '../../lib/days.ts';
import { inDigits } from '../../lib/numbers.ts';
import { toolTitle } from '../../lib/tool-title.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

export type Proposal = OutputOf<typeof listProposals>['proposals'][number];
export type Change = OutputOf<typeof getProposal>['changes'][number];

/** What the server calls the plan of a run: the name of the workflow, and when. */
const OF_RUN = /^(.+), (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/;

/** A plan outside a workflow is named after its tool: `update_transactions` is "Update transactions". */
export function titleOf({ title, source }: Pick<Proposal, 'title' | 'source'>): string {
  if (source === 'workflow') {
    const [, name, day, time] = OF_RUN.exec(title) ?? [];
    return name === undefined || day === undefined ? title : `${workflowTitle(name).title}, ${inWords(day)}, ${time}`;
  }
  return toolTitle(title);
}

export const STATUS_WORDS: Readonly<Record<Proposal['status'], { tone: StatusTone; word: string }>> = {
  draft: { tone: 'neutral', word: 'Being made' },
  proposed: { tone: 'info', word: 'Waiting for you' },
  applied: { tone: 'success', word: 'Approved' },
  rejected: { tone: 'neutral', word: 'Rejected' },
  expired: { tone: 'neutral', word: 'Expired' },
};

export const CONFLICT_WORDS: Readonly<Record<NonNullable<Change['conflict']>, string>> = {
  changed_since: 'It has changed since the plan was made.',
  missing: 'It is no longer there.',
  exists: 'Something with this name has been made since.',
  reference_missing: 'What it refers to is no longer there, is archived, or is left out of the plan.',
};

/** "41 transactions, 2 rules". */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([type, count]) => `${inDigits(count)} ${nounOf(type, count)}`);
  return parts.length === 0 ? 'Nothing' : parts.join(', ');
}

/** One line per currency, never added together. */
export function TotalsList({
  totals,
}: {
  totals: readonly { iso_currency_code: string | null; total_amount: string }[];
}) {
  if (totals.length === 0) return <span className="text-muted">–</span>;
  return (
    <>
      {totals.map(({ iso_currency_code: currency, total_amount: amount }) => (
        <span key={currency ?? ''} className="block">
          <Money amount={amount} currency={currency} />
        </span>
      ))}
    </>
  );
}
