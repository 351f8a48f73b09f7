import type { SqlValue } from '../../../db/engine.ts';
import type { TransactionOriginsTable } from '../../../db/schema.ts';
import { bankIdKey } from '../../../engines/matching/identity.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { oneAfterAnother } from '../../../kernel/one-after-another.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import type { OriginChange } from './learned-settings.ts';
import { insertOrigins, updateOrigin, type BankId } from '../plan/ledger.queries.ts';
import type { LedgerRow } from '../plan/load-ledger.ts';
import type { Plan, PlannedAccount, PlannedRow } from '../plan/plan.ts';
import type { ReadFile } from '../doors/read-file.ts';
import { rawOf, rawText, storedRecord } from '../records/row-record.ts';

const ROWS_AT_ONCE = 1_000;

const ORIGIN_COLUMNS = ['transaction_id', 'import_id', 'line', 'part', 'source_key', 'content_key', 'raw'] as const;
const ROW_COLUMNS = [
  'import_id',
  'line',
  'part',
  'outcome',
  'reason',
  'match_kind',
  'transaction_id',
  'record',
] as const;

/**
 * Stores the outcome of every record and the raw record of each transaction; the file is read once more for its cells.
 * Takes over rows entered by hand that the file contains, and returns those.
 */
export async function writeRecords(
  tx: WriteTx,
  file: ReadFile,
  plan: Plan,
  createdIds: CreatedIds,
  importId: string,
): Promise<OriginChange[]> {
  const { analysis } = file;
  const rawFor = rawOf(analysis.headers);
  const accountIdOf = (account: PlannedAccount | null): string | null =>
    account === null ? null : (createdIds.accountIds.get(account) ?? null);
  let records: SqlValue[][] = [];
  let origins: SqlValue[][] = [];
  const taken: (OriginChange & { after: TransactionOriginsTable })[] = [];
  const store = oneAfterAnother();
  const flush = async (): Promise<void> => {
    const [ready, readyOrigins] = [records, origins];
    records = [];
    origins = [];
    await store.next(async () => {
      await tx.insertMany('transaction_origins', ORIGIN_COLUMNS, readyOrigins);
      await tx.insertMany('import_rows', ROW_COLUMNS, ready);
    });
  };
  let index = 0;
  for (const row of analysis.rows()) {
    const planned = plan.rows.at(index++) as PlannedRow;
    const { line, part, outcome, reason, match, ledger, transactionId, contentKey } = planned;
    if (transactionId !== null) {
      origins.push([transactionId, importId, line, part, plan.sourceKey, contentKey, rawFor(row)]);
    } else if (ledger?.isEntered === true && ledger.sourceKey === null && planned.ownId === null) {
      const keys = { source_key: plan.sourceKey, content_key: contentKey };
      const after = { transaction_id: ledger.id, import_id: importId, line, part, ...keys, raw: rawFor(row) };
      taken.push({ before: null, after, alias: newBankId(planned, ledger, analysis.bank_id_namespace) });
    } else if (planned.isRedelivered && ledger) {
      const delivered = { source_key: plan.sourceKey, content_key: contentKey, raw: rawFor(row) };
      await updateOrigin(tx, ledger.id, delivered);
    }
    const record = storedRecord(planned, accountIdOf(planned.account), rawText(row));
    records.push([importId, line, part, outcome, reason, match, transactionId ?? ledger?.id ?? null, record]);
    if (records.length >= ROWS_AT_ONCE) await flush();
  }
  await flush();
  await store.settled();
  await insertOrigins(
    tx,
    taken.map(({ after }) => after),
  );
  return taken;
}

function newBankId({ bankId }: PlannedRow, { bankIds }: LedgerRow, namespace: string | null): BankId | null {
  if (bankId === null || namespace === null || bankIds.includes(bankIdKey(namespace, bankId))) return null;
  return { namespace, external_id: bankId };
}
