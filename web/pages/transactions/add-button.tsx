import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { useTimezone } from '../../api/timezone.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { nowMs } from '../../lib/clock.ts';
import { dayIn } from '../../lib/days.ts';
import { listOf, type View } from './filters.ts';

// With it comes the library of forms.
const AddTransaction = lazy(async () => ({ default: (await import('./add-transaction.tsx')).AddTransaction }));

export function AddButton({ view }: { view: View }) {
  const [isOpen, open] = useState(false);
  const today = dayIn(useTimezone() ?? 'UTC', new Date(nowMs()).toISOString());
  const accounts = listOf(view.filters.account_id);
  return (
    <>
      <Button icon={Plus} look="primary" disabledReason={useReasonAgainst('full_access')} onClick={() => open(true)}>
        Add
      </Button>
      <Dialog open={isOpen} title="Add a transaction" onClose={() => open(false)}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <AddTransaction
            today={today}
            account={accounts.length === 1 ? accounts[0] : undefined}
            onClose={() => open(false)}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
