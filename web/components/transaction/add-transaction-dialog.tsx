import { lazy, Suspense } from 'react';

import { useTimezone } from '../../api/timezone.ts';
import { nowMs } from '../../lib/clock.ts';
import { dayIn } from '../../lib/days.ts';
import { Dialog } from '../dialog.tsx';
import { Skeleton } from '../skeleton.tsx';

// With it comes the library of forms.
const AddTransaction = lazy(async () => ({ default: (await import('./add-transaction.tsx')).AddTransaction }));

interface AddTransactionDialogProps {
  title: string;
  /** The account that the page is about. */
  account: string | undefined;
  /** It is about this one alone. */
  isFixed?: boolean;
  onClose: () => void;
}

/** A transaction by hand, on the page of an account and in the list. */
export function AddTransactionDialog({ title, ...rest }: AddTransactionDialogProps) {
  const today = dayIn(useTimezone() ?? 'UTC', new Date(nowMs()).toISOString());
  return (
    <Dialog open title={title} onClose={rest.onClose}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <AddTransaction today={today} {...rest} />
      </Suspense>
    </Dialog>
  );
}
