import { Outlet } from '@tanstack/react-router';

import { LeaveDialog } from '../components/leave-dialog.tsx';
import { Toasts } from '../components/toast.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** The page, and what may appear over any page. */
export function Root() {
  return (
    <>
      <Outlet />
      <Toasts />
      <LeaveDialog />
      <SignInAgain />
    </>
  );
}
