import { listApiKeys } from '../../../src/features/api-keys/api-keys.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { nowMs } from '../../lib/clock.ts';
import { counted } from '../../lib/numbers.ts';
import type { Member } from './member-card.tsx';

/** How many API keys of a member end with what is about to be done. Nothing while there are none. */
export function KeysThatEnd({ member, when }: { member: Member; when: 'lowered' | 'removed' }) {
  const keys = useApiQuery(listApiKeys, {});
  const ending = (keys.data ?? []).filter(
    (key) =>
      key.user_id === member.short_id &&
      key.revoked_at === null &&
      (key.expires_at === null || Date.parse(key.expires_at) > nowMs()) &&
      (when === 'removed' || key.scope === 'full_access'),
  ).length;
  if (ending === 0) return null;
  const count = counted(ending, 'API key');
  return (
    <p className="mt-3 font-medium text-ink">
      {when === 'removed'
        ? `${count} belonging to ${member.name} will be revoked.`
        : `If you choose a lower role, ${count} with full access belonging to ${member.name} will be revoked.`}
    </p>
  );
}
