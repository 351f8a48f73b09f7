import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';

import { queryClient } from './api/queries.ts';
import { LeaveDialog } from './components/leave-dialog.tsx';
import { Toasts } from './components/toast.tsx';
import { router } from './router.tsx';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
      <LeaveDialog />
    </QueryClientProvider>
  );
}
