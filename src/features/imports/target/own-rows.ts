import type { AnalysedRow } from '../../../engines/imports/analysis.ts';
import { ownColumns, type OwnColumns } from '../../../engines/imports/profiles/own-export.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { numbered } from '../../../kernel/sequence.ts';
import { UuidColumn } from '../plan/column-store.ts';
import { selectKnownTransactions } from './own-rows.queries.ts';
import type { TargetInput } from './target-account.ts';
import { selectAccounts, type AccountRow } from './targets.queries.ts';

const AT_ONCE = 5_000;

/** What an export of Homeledger says about its rows, as far as this household knows their ids (36.4, rule 2a). */
export class OwnRows {
  readonly #accounts: AccountRow[] = [];
  readonly #byTransaction: Uint8Array;
  /** By record: the place of its account, counted from 1. */
  readonly #places: Uint16Array;
  readonly #transactions: UuidColumn;
  readonly #counts = new Map<AccountRow, number>();
  /** The account of the rows with each account value; null where they are in several. */
  readonly #ofValues = new Map<string | null, AccountRow | null>();
  /** How many rows of each account value this household does not know. */
  readonly unknown = new Map<string | null, number>();

  constructor(recordCount: number) {
    this.#byTransaction = new Uint8Array(recordCount);
    this.#places = new Uint16Array(recordCount);
    this.#transactions = new UuidColumn(recordCount);
  }

  place({ index, value }: NamedRow, account: AccountRow, transactionId: string | null): void {
    const other = this.#ofValues.get(value);
    this.#ofValues.set(value, other === undefined || other === account ? account : null);
    let place = this.#accounts.indexOf(account);
    if (place < 0) place = this.#accounts.push(account) - 1;
    this.#places[index] = place + 1;
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1);
    if (transactionId === null) return;
    this.#byTransaction[index] = 1;
    this.#transactions.set(index, transactionId);
  }

  accountOf(index: number): AccountRow | null {
    return this.#accounts[(this.#places[index] as number) - 1] ?? null;
  }

  transactionOf(index: number): string | null {
    return this.#byTransaction[index] === 1 ? this.#transactions.get(index) : null;
  }

  /** The one account of the known rows with this account value. */
  accountOfValue(value: string | null): AccountRow | null {
    return this.#ofValues.get(value) ?? null;
  }

  get accounts(): readonly AccountRow[] {
    return this.#accounts;
  }

  countOf(account: AccountRow): number {
    return this.#counts.get(account) ?? 0;
  }
}

/** null for a file that is no export of Homeledger, or of which this household knows no transaction and no account. */
export async function findOwnRows(input: TargetInput): Promise<OwnRows | null> {
  const { tx, analysis, fields } = input;
  const columns = fields.profile === 'none' ? null : ownColumns(analysis.headers);
  if (!columns) return null;
  const accounts = new Map((await selectAccounts(tx)).map((account) => [account.id, account]));
  const own = new OwnRows(analysis.total_rows);
  let batch: NamedRow[] = [];
  const settle = async (): Promise<void> => {
    const known = await selectKnownTransactions(
      tx,
      batch.flatMap(({ id }) => id ?? []),
    );
    for (const row of batch) {
      const transaction = row.id === null ? undefined : known.get(row.id);
      const account = accounts.get(transaction?.account_id ?? row.accountId ?? '');
      if (account) own.place(row, account, transaction?.id ?? null);
      else own.unknown.set(row.value, (own.unknown.get(row.value) ?? 0) + 1);
    }
    batch = [];
  };
  for (const [index, row] of numbered(analysis.rows())) {
    if (row.outcome !== 'row') continue;
    batch.push(namedRow(index, row, columns, input));
    if (batch.length === AT_ONCE) await settle();
  }
  await settle();
  return own.accounts.length === 0 ? null : own;
}

/** The ids in a row of the file. */
interface NamedRow {
  readonly index: number;
  readonly id: string | null;
  readonly accountId: string | null;
  /** What the file calls its account. */
  readonly value: string | null;
}

function namedRow(index: number, row: AnalysedRow, columns: OwnColumns, { given, fields }: TargetInput): NamedRow {
  const idIn = (column: number): string | null => {
    const text = (row.cells[column] ?? '').trim().toLowerCase();
    return isUuid(text) ? text : null;
  };
  // What the request says about an account wins over the file, but not over the id of a transaction.
  const { account_value: value } = row;
  const isChosen = given.account !== null || Object.hasOwn(fields.accounts, value ?? '');
  return { index, value, id: idIn(columns.id), accountId: isChosen ? null : idIn(columns.accountId) };
}
