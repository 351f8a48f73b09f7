import { acceptSuggestion, dismissSuggestion } from '../../../src/features/suggestions/suggestions.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { showToast } from '../../components/toast-store.ts';
import type { Suggestion } from './suggestions-page.tsx';

interface Choice {
  transaction_id?: string;
  account_id?: string;
}

/** Accepting can be undone from the toast; what was dismissed can still be accepted. */
export function useDecisions({ id }: Suggestion, undo: string) {
  const accept = useApiWrite(acceptSuggestion, { undo });
  const dismiss = useApiWrite(dismissSuggestion, {
    onSuccess: () => showToast('Dismissed. You will not be asked again.'),
  });
  return {
    isBusy: accept.isPending || dismiss.isPending,
    error: accept.error ?? dismiss.error,
    accept: (choice: Choice, alike = false) =>
      accept.mutate({ params: { id }, body: { ...choice, ...(alike ? { alike } : {}) } }),
    dismiss: (alike = false) => dismiss.mutate({ params: { id }, body: alike ? { alike } : {} }),
  };
}
