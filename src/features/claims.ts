import type { Selectable } from 'kysely';

import type { IdempotentAnswersTable } from '../db/schema-identity.ts';
import type { BareWriteTx } from '../db/unit-of-work.ts';
import type { Instance } from './handler.ts';
import { expiredAnswers, storeAnswer, type Claim, type KeptAnswer } from './idempotent-answer.ts';
import { deleteSome } from './old-rows.ts';
import { bookkeep } from '../journal/write.ts';
import { HOUR_MS, instantAfter } from '../kernel/dates.ts';
import { AppError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';

/** The right to give the first answer, or that answer. */
type Claimed = { kind: 'first'; claim: Claim } | { kind: 'replay'; answer: KeptAnswer };

/** Who may answer first under an idempotency key. A claim ends with its answer, or with its process. */
export interface Claims {
  /** @throws IDEMPOTENCY_CONFLICT for another request under the same key, CONFLICT while the first still runs. */
  take(principalId: string, key: string, hash: string): Promise<Claimed>;
  /**
   * The request has ended: its answer is the first one, unless its write has stored one. After a failure of ours (null)
   * the key is free again, unless its write was committed nevertheless. Never throws.
   */
  settle(claim: Claim, answer: KeptAnswer | null): Promise<void>;
  /** The request has ended, and its write has stored its answer. */
  forget(claim: Claim): void;
}

/** The claims of this process. */
interface OwnClaims {
  /** Ids of claims whose requests are still running. */
  running: Set<string>;
  /** Answers of requests that ended while the database was away, by the id of their claim. */
  unsettled: Map<string, KeptAnswer | null>;
}

interface Attempt {
  claim: Claim;
  hash: string;
  /** Presence of this process. */
  holder: string;
  /** A claim whose process is gone. */
  dead: string | null;
}

type Seen = Claimed | { kind: 'elsewhere'; claimId: string | null; holder: string };
type Row = Selectable<IdempotentAnswersTable>;

const ofInstances = new WeakMap<Instance, Claims>();

/** The claims of a process, which all surfaces share: a key means one request, wherever it is sent. */
export function claimsOf(instance: Instance): Claims {
  const claims = ofInstances.get(instance) ?? createClaims(instance);
  ofInstances.set(instance, claims);
  return claims;
}

function createClaims({ database, ids, untilDone }: Instance): Claims {
  const own: OwnClaims = { running: new Set(), unsettled: new Map() };
  return {
    async take(principalId, key, hash) {
      const holder = await database.presence();
      const claim = { id: ids.uuid(), principalId, key };
      const attempt: Attempt = { claim, hash, holder, dead: null };
      own.running.add(claim.id);
      try {
        for (;;) {
          const seen = await bookkeep(database, (tx) => look(tx, attempt, own));
          if (seen.kind === 'replay') own.running.delete(claim.id);
          if (seen.kind !== 'elsewhere') return seen;
          if (await database.isPresent(seen.holder)) throw stillRunning();
          attempt.dead = seen.claimId;
        }
      } catch (error) {
        own.running.delete(claim.id);
        throw error;
      }
    },
    async settle(claim, answer) {
      own.unsettled.set(claim.id, answer);
      own.running.delete(claim.id);
      await untilDone(async () => {
        await bookkeep(database, async (tx) => (answer ? storeAnswer(tx, claim, answer) : free(tx, claim)));
        own.unsettled.delete(claim.id);
      });
    },
    forget(claim) {
      own.running.delete(claim.id);
    },
  };
}

/** What the key stands for now; a free one is taken. */
async function look(tx: BareWriteTx, { claim, hash, holder, dead }: Attempt, own: OwnClaims): Promise<Seen> {
  await deleteSome(tx, expiredAnswers(tx.now));
  await deleteSome(tx, expiredAnswers(tx.now, claim));
  const known = await find(tx, claim);
  if (known && known.request_hash !== hash) {
    throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request. Use a new one.');
  }
  if (known?.state === 'done') return { kind: 'replay', answer: answerOf(known) };
  if (known) {
    const { claim_id: id, holder: owner } = known;
    if (id !== null && own.running.has(id)) throw stillRunning();
    const ended = id === null ? undefined : own.unsettled.get(id);
    if (id !== null && ended) {
      await storeAnswer(tx, { ...claim, id }, ended);
      return { kind: 'replay', answer: ended };
    }
    if (owner !== null && owner !== holder && id !== dead) return { kind: 'elsewhere', claimId: id, holder: owner };
  }
  // A write stores its answer in its own transaction: without one nothing was written, and it can be done again.
  await begin(tx, claim, hash, holder);
  return { kind: 'first', claim };
}

/** The header in its details tells it from a conflict that the request itself ended in. */
function stillRunning(): AppError {
  const message = 'The first request with this Idempotency-Key is still running. Try again in a moment.';
  return new AppError('CONFLICT', message, { details: [{ path: 'Idempotency-Key', message }] });
}

function answerOf({ status, headers, body }: Row): KeptAnswer {
  return { status: status ?? 200, headers: JSON.parse(headers ?? '{}') as Record<string, string>, body };
}

async function find(tx: BareWriteTx, { principalId, key }: Claim): Promise<Row | undefined> {
  return tx.q
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('principal_id', '=', principalId)
    .where('key', '=', key)
    .executeTakeFirst();
}

async function begin(
  tx: BareWriteTx,
  { id, principalId, key }: Claim,
  request_hash: string,
  holder: string,
): Promise<void> {
  const mine = {
    claim_id: id,
    holder,
    created_at: tx.now,
    expires_at: instantAfter(tx.now, LIMITS.idempotencyHours * HOUR_MS),
  };
  await tx.q
    .insertInto('idempotent_answers')
    .values({
      principal_id: principalId,
      key,
      request_hash,
      state: 'running',
      status: null,
      headers: null,
      body: null,
      ...mine,
    })
    .onConflict((conflict) => conflict.columns(['principal_id', 'key']).doUpdateSet(mine))
    .execute();
}

async function free(tx: BareWriteTx, { id, principalId, key }: Claim): Promise<void> {
  await tx.q
    .deleteFrom('idempotent_answers')
    .where('principal_id', '=', principalId)
    .where('key', '=', key)
    .where('claim_id', '=', id)
    .where('state', '=', 'running')
    .execute();
}
