import { Ellipsis, Eraser, KeyRound, Link2, Pencil, Trash2, UserCog, UserX } from 'lucide-react';

import { listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { listLogins } from '../../../src/features/logins/logins.contract.ts';
import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import type { listUsers, LoginMethod } from '../../../src/features/users/users.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import type { z } from 'zod';
import { useApiQuery } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Facts } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Badge, Status } from '../../components/status.tsx';
import { ROLES } from './roles.ts';
import { FIGURE_ALONE, PageLink } from '../../lib/page-link.tsx';

export type Member = OutputOf<typeof listUsers>[number];
export type Login = z.output<typeof LoginMethod>;

/** What a dialog was asked to do. */
export type MemberAction =
  | { kind: 'edit'; member: Member }
  | { kind: 'wipe'; member: Member }
  | { kind: 'delete'; member: Member }
  | LoginAction;
export type LoginAction =
  | { kind: 'invite'; member: Member }
  | { kind: 'role' | 'link' | 'remove-login'; member: Member; login: Login };

interface MemberCardProps {
  member: Member;
  onAction: (action: MemberAction) => void;
}

const KINDS = { admin: 'Runs the household', member: 'Member', dependent: 'Dependent' } as const;

/** One person with accounts, balances and login. */
export function MemberCard({ member, onAction }: MemberCardProps) {
  const logins = useApiQuery(listLogins, { params: { user_id: member.id } });
  const login = logins.data?.[0];
  return (
    <Section
      title={member.name}
      actions={
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`Actions for ${member.name}`} />}
          items={actionsFor(member, login, onAction)}
        />
      }
    >
      {logins.error && <ErrorBanner error={logins.error} onRetry={logins.refetch} />}
      <Facts
        items={[
          { term: 'Kind', value: KINDS[member.kind] },
          ...(member.email === null || member.email === login?.identifier
            ? []
            : [{ term: 'Email', value: member.email }]),
          { term: 'Accounts', value: <AccountsOf member={member} /> },
          { term: 'Balance', value: <BalancesOf member={member} /> },
          {
            term: 'Signs in',
            value:
              logins.data === undefined ? (
                <Skeleton lines={1} />
              ) : (
                <SignIn login={login} onInvite={() => onAction({ kind: 'invite', member })} name={member.name} />
              ),
          },
        ]}
      />
    </Section>
  );
}

function actionsFor(member: Member, login: Login | undefined, onAction: MemberCardProps['onAction']): MenuItem[] {
  const ofLogin = (kind: 'role' | 'link' | 'remove-login') => () => login && onAction({ kind, member, login });
  const ofMember = (kind: 'edit' | 'wipe' | 'delete' | 'invite') => () => onAction({ kind, member });
  return [
    { label: 'Edit', icon: Pencil, onSelect: ofMember('edit') },
    ...(login === undefined
      ? [{ label: 'Invite to sign in', icon: KeyRound, onSelect: ofMember('invite') }]
      : [
          { label: 'Change role', icon: UserCog, onSelect: ofLogin('role') },
          {
            label: login.has_password ? 'Reset password' : 'New invitation link',
            icon: Link2,
            onSelect: ofLogin('link'),
          },
          { label: 'Remove login', icon: UserX, destructive: true, onSelect: ofLogin('remove-login') },
        ]),
    { label: 'Wipe data', icon: Eraser, destructive: true, onSelect: ofMember('wipe') },
    { label: 'Delete', icon: Trash2, destructive: true, onSelect: ofMember('delete') },
  ];
}

function AccountsOf({ member }: { member: Member }) {
  const accounts = useApiQuery(listAccounts, { query: { user_id: [member.id], fields: 'core' } });
  if (accounts.data === undefined) return <Skeleton lines={1} />;
  return accounts.data.length === 0 ? (
    <span className="text-muted">None</span>
  ) : (
    <PageLink to="/accounts" search={{ by: 'member' }} className={FIGURE_ALONE}>
      {accounts.data.length}
    </PageLink>
  );
}

/** One line per currency, never added together. */
function BalancesOf({ member }: { member: Member }) {
  const overview = useApiQuery(getOverview, { query: { user_id: member.id } });
  if (overview.data === undefined) return <Skeleton lines={1} />;
  const { balances } = overview.data;
  if (balances.length === 0) return <span className="text-muted">None</span>;
  return balances.map(({ iso_currency_code: currency, net }) => (
    <div key={currency ?? ''}>
      <PageLink to="/" search={{ user_id: member.short_id }} className={FIGURE_ALONE}>
        <Money amount={net} currency={currency} kind="balance" />
      </PageLink>
    </div>
  ));
}

function SignIn({ login, name, onInvite }: { login: Login | undefined; name: string; onInvite: () => void }) {
  if (login === undefined) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Status>Cannot sign in</Status>
        <Button icon={KeyRound} onClick={onInvite}>
          <span className="min-w-0 wrap-anywhere">
            Invite <bdi>{name}</bdi>
          </span>
        </Button>
      </div>
    );
  }
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere">{login.identifier}</span>
        <Badge>{ROLES[login.role].label}</Badge>
      </p>
      <p className="mt-1 text-sm text-muted">
        {login.has_password ? (
          <>
            Last signed in: <Instant at={login.last_used_at} />
          </>
        ) : (
          <Invitation expiresAt={login.setup_token_expires_at} />
        )}
      </p>
    </>
  );
}

function Invitation({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null) return <>Invited, but the link is no longer valid. Make a new one.</>;
  return (
    <>
      Invited; the link expires <Instant isPlanned at={expiresAt} />
    </>
  );
}
