import { useNavigate } from '@tanstack/react-router';

import { deleteRule } from '../../../src/features/rules/rules.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { isSeeded, type Rule } from '../../components/rule/rule-words.ts';
import { counted } from '../../lib/numbers.ts';

interface DeleteRuleProps {
  rule: Rule;
  onSwitchOff: () => void;
  onClose: () => void;
}

/** Asks before a rule goes; one that came with Homeledger can only be switched off. */
export function DeleteRule({ rule, onSwitchOff, onClose }: DeleteRuleProps) {
  const remove = useApiWrite(deleteRule, { undo: `Rule “${rule.name}” deleted` });
  const navigate = useNavigate();
  if (isSeeded(rule)) {
    return (
      <ConfirmDialog
        open
        title={`Switch “${rule.name}” off?`}
        action="Switch off"
        destructive={false}
        onConfirm={() => Promise.resolve(onSwitchOff())}
        onClose={onClose}
      >
        <p>It came with Homeledger and cannot be deleted. Switched off, it does nothing.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      open
      title={`Delete the rule “${rule.name}”?`}
      action="Delete"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: rule.id } });
        void navigate({ to: '/rules' } as never);
      }}
      onClose={onClose}
    >
      <p>
        {rule.hit_count === 0
          ? 'It has never matched a transaction.'
          : `It has matched ${counted(rule.hit_count, 'transaction')}. What it has changed stays as it is.`}{' '}
        This can be undone.
      </p>
    </ConfirmDialog>
  );
}
