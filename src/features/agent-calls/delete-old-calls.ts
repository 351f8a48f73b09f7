import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { instantAfter } from '../../kernel/dates.ts';
import type { Instance } from '../handler.ts';
import { deleteCallsBefore } from './agent-calls.queries.ts';
import { readAgentSettings } from './agent-settings.ts';

const DAY_MS = 86_400_000;

/** Deletes calls of agents that are older than the household keeps them; 0 keeps all (contract 70.7). */
export async function deleteOldCalls({ database, clock }: Instance): Promise<void> {
  const { call_retention_days: days } = await database.read(readAgentSettings);
  if (days === 0) return;
  const before = instantAfter(instantNow(clock), -days * DAY_MS);
  await bookkeep(database, (tx) => deleteCallsBefore(tx, before));
}
