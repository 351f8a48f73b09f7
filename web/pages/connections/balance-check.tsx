import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getSyncLog } from '../../../src/features/sync/sync.contract.ts';
import { Instant } from '../../components/instant.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Status } from '../../components/status.tsx';
import { usePrivacy } from '../../lib/privacy.ts';

export type Check = OutputOf<typeof getSyncLog>['accounts'][number]['balance_check'];

/** Whether the bank's balance moved by as much as its transactions (30.10). */
export function BalanceCheck({ check, currency }: { check: Check | undefined; currency: string | null }) {
  usePrivacy();
  if (!check || check.status === 'not_available') return <span className="text-muted">Not known yet</span>;
  if (check.status === 'agrees') return <Status tone="success">Yes</Status>;
  return (
    <>
      <Status tone="warning">Not quite</Status>
      <span className="mt-1 block text-sm text-muted">
        {check.difference !== null && `${formatMoney(check.difference.replace('-', ''), currency)} apart`}
        {check.since !== null && (
          <>
            , since <Instant at={check.since} />
          </>
        )}
      </span>
    </>
  );
}
