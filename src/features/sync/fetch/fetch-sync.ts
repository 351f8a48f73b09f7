import { LIMITS } from '../../../kernel/limits.ts';
import type { Access, FetchedPart, FetchOutcome, FetchRequest, Provider } from '../../../providers/provider.ts';
import type { DeliveredPage } from './delivery.ts';
import { createSpool, type SpoolWriter } from './spool.ts';

/** What a fetch brought. Plain data: the pages, or the path of the file that has them. */
export interface Fetched {
  readonly outcome: FetchOutcome;
  readonly pages: readonly DeliveredPage[] | null;
  readonly spool: string | null;
  /** Ids that a page both added and removed. */
  readonly returned: readonly string[];
}

/**
 * Fetches everything that is new (contract 30.7.2, step 2). No database transaction is open meanwhile.
 * `onReadFromBeginning`: everything is read after all, which takes longer.
 */
export async function fetchSync(
  provider: Provider,
  access: Access,
  request: FetchRequest,
  where: { dataDir: string; syncLogId: string },
  onReadFromBeginning: () => void,
): Promise<Fetched> {
  const collector = new Collector(where);
  try {
    const parts = provider.fetch(access, request);
    for (;;) {
      const next = await parts.next();
      request.signal.throwIfAborted();
      if (next.done) return { outcome: next.value, ...(await collector.finish()) };
      if (next.value.kind === 'restart' && next.value.isFromBeginning === true) onReadFromBeginning();
      await collector.take(next.value);
    }
  } finally {
    await collector.close();
  }
}

/** Keeps pages in memory, and from the first row too many on in a file. */
class Collector {
  readonly #where: { dataDir: string; syncLogId: string };
  #pages: DeliveredPage[] = [];
  #returned: string[] = [];
  #rowCount = 0;
  #spool: SpoolWriter | null = null;

  constructor(where: { dataDir: string; syncLogId: string }) {
    this.#where = where;
  }

  async take(part: FetchedPart): Promise<void> {
    if (part.kind === 'restart') {
      await this.close();
      this.#pages = [];
      this.#returned = [];
      this.#rowCount = 0;
      return;
    }
    const { rows, unreadable, removed, returned = [] } = part;
    this.#pages.push({ rows, unreadable, removed });
    this.#returned.push(...returned);
    this.#rowCount += rows.length;
    if (this.#rowCount <= LIMITS.syncRowsInPlace) return;
    this.#spool ??= await createSpool(this.#where.dataDir, this.#where.syncLogId);
    for (const page of this.#pages) await this.#spool.append(page);
    this.#pages = [];
  }

  async finish(): Promise<Omit<Fetched, 'outcome'>> {
    const returned = this.#returned;
    if (this.#spool === null) return { returned, pages: this.#pages, spool: null };
    for (const page of this.#pages) await this.#spool.append(page);
    return { returned, pages: null, spool: this.#spool.path };
  }

  async close(): Promise<void> {
    await this.#spool?.close();
    this.#spool = null;
  }
}
