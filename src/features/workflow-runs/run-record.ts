import { isUnavailable } from '../../db/unavailable.ts';
import { systemOrigin, write, type WriteTx } from '../../journal/write.ts';
import { dollarsOf } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ModelUsage } from '../../models/model.ts';
import type { Instance } from '../handler.ts';
import { findHeld, type ClaimedRun, type HeldRun, type RunRow } from './run-leases.ts';
import { LeaseLost, type RunControl } from './run-stop.ts';
import { appendLines, type Line, type Mask } from './transcript.ts';

/** Of writes that leave no change set: runs are their own record. */
const RUN_ORIGIN = systemOrigin('workflows', 'run.advance');

/** What one model request used. `cost` is in millionths of a dollar, null without a price. */
export interface Spent {
  usage: ModelUsage;
  cost: number | null;
}

/** The columns that a step changes. */
type Fields = Partial<Omit<RunRow, 'id' | 'transcript_lines' | 'transcript_bytes'>>;

/** One write: lines of the transcript, columns of the run, and what else is done in the same transaction. */
interface Change {
  lines: readonly Line[];
  fields: (now: string) => Fields;
  alongside: (tx: WriteTx, row: RunRow) => Promise<void>;
}

/** What a run has done so far, as it is stored. Everything is written through here, while the run is still ours. */
export class RunRecord {
  readonly #instance: Instance;
  readonly #control: Pick<RunControl, 'isAbandoned'>;
  readonly #mask: Mask;
  readonly held: HeldRun;
  row: RunRow;

  constructor(instance: Instance, run: ClaimedRun, control: Pick<RunControl, 'isAbandoned'>, mask: Mask) {
    this.#instance = instance;
    this.#control = control;
    this.#mask = mask;
    this.held = { id: run.id, fencingToken: run.fencing_token };
    this.row = run;
  }

  /** A text without secrets. */
  masked(text: string): string {
    return this.#mask(text);
  }

  /** Adds lines to the transcript, with the columns that change with them. @throws LeaseLost */
  async add(lines: readonly Line[], fields: Fields = {}): Promise<void> {
    await this.#change({ lines, fields: () => fields, alongside: nothing });
  }

  /** Accounts a model request, with what the model said. @throws LeaseLost */
  async account({ usage, cost }: Spent, said: readonly Line[]): Promise<void> {
    const { row } = this;
    const fields = {
      input_tokens: row.input_tokens + usage.input,
      output_tokens: row.output_tokens + usage.output,
      cache_read_tokens: row.cache_read_tokens + usage.cacheRead,
      cache_creation_tokens: row.cache_creation_tokens + usage.cacheCreation,
      turn_count: row.turn_count + 1,
      total_cost_micros: cost === null ? row.total_cost_micros : (row.total_cost_micros ?? 0) + cost,
    };
    const line = usageLine({ usage, cost }, fields.turn_count, fields.total_cost_micros);
    const alongside = (tx: WriteTx): Promise<void> => spend(tx, row, fields.total_cost_micros);
    await this.#change({ lines: [...said, line], fields: () => fields, alongside });
  }

  /** Writes the last line and gives the run back. `alongside` is done in the same transaction. @throws LeaseLost */
  async end(
    lines: readonly Line[],
    fields: Fields,
    alongside: (tx: WriteTx, row: RunRow) => Promise<void>,
  ): Promise<void> {
    const { started_at: startedAt } = this.row;
    const ended = (now: string): Fields => ({
      ...fields,
      completed_at: now,
      duration_ms: Math.max(0, Date.parse(now) - Date.parse(startedAt)),
      holder: null,
      fencing_token: null,
      lease_expires_at: null,
    });
    await this.#change({ lines, fields: ended, alongside });
  }

  async #change(change: Change): Promise<void> {
    const { database } = this.#instance;
    const { value } = await patiently(this.#instance, this.#control, () =>
      write(database, RUN_ORIGIN, (tx) => this.#write(tx, change)),
    );
    this.row = value;
  }

  async #write(tx: WriteTx, { lines, fields, alongside }: Change): Promise<RunRow> {
    const stored = await findHeld(tx, this.held);
    if (!stored || this.#control.isAbandoned()) throw new LeaseLost();
    // A commit whose answer was lost had been kept.
    if (stored.transcript_bytes !== this.row.transcript_bytes) return stored;
    const size = await appendLines(tx, stored, lines, this.#mask);
    const changed = { ...fields(tx.now), transcript_lines: size.lines, transcript_bytes: size.bytes };
    const row = await tx.q
      .updateTable('workflow_runs')
      .set(changed)
      .where('id', '=', stored.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await alongside(tx, row);
    return row;
  }
}

/** Does it as soon as the database can be used. @throws LeaseLost once nobody waits for the run any longer */
export async function patiently<T>(
  { pause }: Pick<Instance, 'pause'>,
  { isAbandoned }: Pick<RunControl, 'isAbandoned'>,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await pause(LIMITS.runRetryMs);
    if (isAbandoned()) throw new LeaseLost();
  }
}

async function nothing(): Promise<void> {}

/** What was spent outlives the run. */
async function spend(tx: WriteTx, { id, started_at }: RunRow, total: number | null): Promise<void> {
  const cost = { cost_micros: total ?? 0 };
  await tx.q
    .insertInto('workflow_spending')
    .values({ run_id: id, started_at, ...cost })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet(cost))
    .execute();
}

function usageLine({ usage, cost }: Spent, turn: number, total: number | null): Line {
  return {
    type: 'usage',
    data: {
      turn,
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cacheRead,
      cache_creation_tokens: usage.cacheCreation,
      cost_usd: cost === null ? null : dollarsOf(cost),
      total_cost_usd: total === null ? null : dollarsOf(total),
    },
  };
}
