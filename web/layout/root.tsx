import { Outlet } from '@tanstack/react-router';

import { LeaveDialog } from '../components/leave-dialog.tsx';
import { TransactionDrawer } from '../components/transaction/transaction-drawer.tsx';
import { Toasts } from '../components/toast.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** The page, and what may appear over any page. */
export function Root() {
  return (
    <>
      <Outlet />
      <TransactionDrawer />
      <Toasts />
      <LeaveDialog />
      <SignInAgain />
    </>
  );
}
