import type { AnalysedRow, FileAnalysis } from '../../../engines/imports/analysis.ts';
import { detached, normalisedText } from '../../../engines/imports/text/cell-text.ts';
import { isCurrencyAssumed } from '../../../engines/imports/questions/currency.ts';
import { contentKey } from '../../../engines/matching/identity.ts';
import { KeyIndex } from '../../../engines/matching/key-index.ts';
import { numbered } from '../../../kernel/sequence.ts';
import type { ImportFields } from '../import-fields.contract.ts';
import type { DataRow, PlannedAccount, PlannedRow } from './plan.ts';
import type { PlannedRowInput } from './planned-row-store.ts';
import type { RowList } from './row-list.ts';
import type { AccountRow } from '../target/targets.queries.ts';

const NAME_CHARS = 500;
const TEXT_CHARS = 200;
/** If a file has more, few of them repeat. */
const TEXTS_REMEMBERED = 20_000;

/** Lines that the warnings about identity name. */
export interface IdentityNotes {
  reusedBankIds: number[];
  sharedBankIds: number[];
  cutTexts: number[];
}

/** Plans records one by one. Remembers folded descriptions: they repeat, and folding costs more than a lookup. */
export function rowPlanner(
  fields: ImportFields,
  notes: IdentityNotes,
  currencyIn: CurrencyIn,
): (row: AnalysedRow, account: PlannedAccount | null) => PlannedRowInput {
  const folded = new Map<string, string>();
  const keyOf = (text: string): string => {
    let key = folded.get(text);
    if (key !== undefined) return key;
    key = normalisedText(text);
    if (folded.size < TEXTS_REMEMBERED) folded.set(detached(text), key);
    return key;
  };
  return (row, account) => ({
    ...plannedRow(row, account, fields, notes, keyOf),
    currency: currencyIn(account?.target.account, row.iso_currency_code, row.symbol_currencies),
  });
}

/** A planned record: texts are cut as they are stored, but the content key is that of the whole description. */
function plannedRow(
  row: AnalysedRow,
  account: PlannedAccount | null,
  fields: ImportFields,
  notes: IdentityNotes,
  keyOf: (text: string) => string,
): PlannedRowInput {
  const name = cut(row.description, NAME_CHARS);
  const merchantName = row.merchant_name === null ? null : cut(row.merchant_name, TEXT_CHARS);
  const category = row.category === null ? null : cut(row.category, TEXT_CHARS);
  const isRow = row.outcome === 'row';
  if (isRow && (name !== row.description || merchantName !== row.merchant_name || category !== row.category)) {
    notes.cutTexts.push(row.line);
  }
  return {
    line: row.line,
    part: row.part,
    account,
    outcome: row.outcome === 'row' ? 'added' : row.outcome,
    reason: row.reason,
    date: row.date,
    authorizedDate: row.authorized_date,
    datetime: row.datetime,
    time: row.time,
    amountCents: row.amount_cents,
    currency: row.iso_currency_code,
    name,
    merchantName,
    category,
    notes: fields.import_notes ? row.notes : null,
    tags: fields.import_tags ? row.tags : null,
    contentKey:
      isRow && account ? contentKey(row.date as string, row.amount_cents as number, keyOf(row.description)) : '',
    bankId: row.bank_id,
    correction: row.correction,
    pending: row.pending,
    balanceCents: row.balance_cents,
    message: row.message,
    raw: row.raw,
  };
}

/** A bank id counts only if the account has it once in the file. */
export function identityKeys(rows: RowList<DataRow>, notes: IdentityNotes): void {
  const shared = sharedBankIds(rows);
  if (shared.size === 0) return;
  for (const row of rows) {
    if (row.bankId === null || !shared.has(row.bankId)) continue;
    notes.sharedBankIds.push(row.line);
    (row as PlannedRow).bankId = null;
  }
}

/** The bank ids that several rows have. */
function sharedBankIds(rows: RowList<DataRow>): ReadonlySet<string> {
  const shared = new Set<string>();
  if (rows.every(({ bankId }) => bankId === null)) return shared;
  const index = new KeyIndex(rows.length);
  for (const [place, { bankId }] of numbered(rows)) {
    if (bankId === null) continue;
    for (const other of index.placesOf(bankId)) if (rows.at(other)?.bankId === bankId) shared.add(bankId);
    if (!shared.has(bankId)) index.add(bankId, place);
  }
  return shared;
}

/** At most `max` characters, never half a character. */
function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('');
}

/** The currency of rows and balances that go to an account. */
export type CurrencyIn = (
  account: AccountRow | null | undefined,
  asRead: string | null,
  ofSymbol?: ReadonlySet<string> | null,
) => string | null;

/** A currency that was only assumed gives way to that of each account, unless a symbol beside the amount rules it out. */
export function currencyInAccount({ detection }: FileAnalysis): CurrencyIn {
  const assumed = isCurrencyAssumed(detection.currency) ? detection.currency.value : null;
  return (account, asRead, ofSymbol = null) => {
    if (asRead !== assumed) return asRead;
    const code = account?.iso_currency_code ?? asRead;
    return code === null || ofSymbol === null || ofSymbol.has(code) ? code : null;
  };
}
