import { useNavigate } from '@tanstack/react-router';

import { newRuleSearch, type RuleStart } from '../../lib/new-rule.ts';
import { closeTransaction } from '../transaction/drawer-store.ts';

/** Opens the editor with a rule that begins like this. Nothing is stored before it is saved. */
export function useMakeRule(): (start: RuleStart) => void {
  const navigate = useNavigate();
  return (start) => {
    closeTransaction();
    void navigate({ to: '/rules/new', search: newRuleSearch(start) } as never);
  };
}
