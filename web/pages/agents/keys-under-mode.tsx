import type { OutputOf } from '../../../src/contract/operation.ts';
import type { AgentMode } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { listApiKeys, updateApiKey } from '../../../src/features/api-keys/api-keys.contract.ts';
import { isBelow, scopeOfMode } from '../../../src/kernel/scopes.ts';
import type { z } from 'zod';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/toast-store.ts';
import { nowMs } from '../../lib/clock.ts';
import { counted } from '../../lib/numbers.ts';

type ApiKey = OutputOf<typeof listApiKeys>[number];
type Mode = z.output<typeof AgentMode>;

/** What a mode means for the keys that are there, before it is saved. */
export function KeysUnderMode({ mode }: { mode: Mode }) {
  const keys = useApiQuery(listApiKeys, {});
  const active = (keys.data ?? []).filter(isActive);
  const most = scopeOfMode(mode);
  const lowered = active.filter((key) => key.actor_type === 'agent' && isBelow(most, key.scope));
  const people = active.filter((key) => key.actor_type !== 'agent' && isBelow(most, key.scope));
  if (lowered.length + people.length === 0) return null;
  const does = mode === 'propose' ? 'only propose' : 'only read';
  return (
    <div className="mb-4">
      <Banner tone="info" title="What this means for your keys">
        {lowered.length > 0 && (
          <p>
            {counted(lowered.length, 'key of an agent', 'keys of agents')} will {does}, over the REST API too:{' '}
            {namesOf(lowered)}.
          </p>
        )}
        {people.length > 0 && (
          <>
            <p>
              {counted(people.length, 'other key')} with full access will only read at /mcp, and can still change
              everything over the REST API. If an agent uses one of them, make it an agent’s key.
            </p>
            <ul className="mt-2">
              {people.map((key) => (
                <PersonsKey key={key.id} apiKey={key} />
              ))}
            </ul>
          </>
        )}
      </Banner>
    </div>
  );
}

function PersonsKey({ apiKey }: { apiKey: ApiKey }) {
  const update = useApiWrite(updateApiKey, {
    refreshes: [listApiKeys],
    onSuccess: () => showToast(`${apiKey.name} is an agent’s key now.`),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
      <bdi className="min-w-0 wrap-anywhere">{apiKey.name}</bdi>
      <Button
        busy={update.isPending}
        aria-label={`Make it an agent’s key: ${apiKey.name}`}
        onClick={() => update.mutate({ params: { id: apiKey.id }, body: { actor_type: 'agent' } })}
      >
        Make it an agent’s key
      </Button>
      {update.error !== null && <ErrorBanner error={update.error} />}
    </li>
  );
}

function isActive({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs());
}

function namesOf(keys: readonly ApiKey[]): string {
  return keys.map(({ name }) => name).join(', ');
}
