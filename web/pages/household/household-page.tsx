import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';

import { listUsers } from '../../../src/features/users/users.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LoginDialog } from './login-dialogs.tsx';
import { MemberCard, type MemberAction } from './member-card.tsx';
import { AddMemberDialog, EditMemberDialog } from './member-forms.tsx';
import { DeleteMemberDialog } from './delete-member.tsx';
import { WipeDialog } from './wipe-data.tsx';

/** The people of the household: who they are, how they sign in, and what leaves with them. */
export default function HouseholdPage() {
  const members = useApiQuery(listUsers, {});
  const [isAdding, setAdding] = useState(false);
  const [action, setAction] = useState<MemberAction | null>(null);
  const add = (
    <Button look="primary" icon={UserPlus} onClick={() => setAdding(true)}>
      Add a person
    </Button>
  );
  return (
    <>
      <PageHeader title="Household" lead="The people in your household, and which of them can sign in." actions={add} />
      <Loaded query={members} lines={8}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={Users} title="No one yet" action={add}>
              The members of your household will appear here.
            </EmptyState>
          ) : (
            list.map((member) => <MemberCard key={member.id} member={member} onAction={setAction} />)
          )
        }
      </Loaded>
      <AddMemberDialog open={isAdding} onClose={() => setAdding(false)} />
      {action && <ActionDialog action={action} onClose={() => setAction(null)} />}
    </>
  );
}

function ActionDialog({ action, onClose }: { action: MemberAction; onClose: () => void }) {
  if (action.kind === 'edit') return <EditMemberDialog member={action.member} onClose={onClose} />;
  if (action.kind === 'wipe') return <WipeDialog member={action.member} onClose={onClose} />;
  if (action.kind === 'delete') return <DeleteMemberDialog member={action.member} onClose={onClose} />;
  return <LoginDialog action={action} onClose={onClose} />;
}
