import { deleteUser } from '../../../src/features/users/users.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { showToast } from '../../components/toast-store.ts';
import { KeysThatEnd } from './keys-that-end.tsx';
import type { Member } from './member-card.tsx';

/** Deletes a member after asking for the name; the server's reason is shown if it refuses. */
export function DeleteMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = useApiWrite(deleteUser);
  return (
    <ConfirmDialog
      open
      title={`Delete ${member.name}?`}
      action="Delete"
      typeToConfirm={member.name}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: member.id } });
        showToast(`${member.name} has been deleted.`);
      }}
      onClose={onClose}
    >
      <p>
        They can no longer sign in. Accounts and transactions assigned to {member.name} go back to whoever owns the bank
        connection. Comments by {member.name} stay.
      </p>
      <KeysThatEnd member={member} when="removed" />
    </ConfirmDialog>
  );
}
