import { sql, type RawBuilder } from 'kysely';

import { declaredReferences, type Reference } from '../../db/declared-schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { decryptRecord, keyIdOf } from '../../kernel/crypto.ts';
import { findCurrentKey, selectRecords } from '../encryption/index.ts';
import { differencesOf, ledgerFigures, type LedgerFigures } from './ledger-figures.ts';

export interface LedgerCheck {
  name: 'integrity' | 'references' | 'rows' | 'sums' | 'totals' | 'consistency' | 'search' | 'secrets';
  status: 'pass' | 'fail' | 'skip';
  message: string;
}

interface ToVerify {
  /** The keys at hand; without any, secrets are not looked at. */
  keys?: readonly Uint8Array[];
  /** What the ledger should hold, of a backup that it was restored from. */
  expected?: LedgerFigures;
}

type Finding = Omit<LedgerCheck, 'name'>;

const SHOWN = 5;

/**
 * Holds a ledger against its own rules (contract 85.4), whoever asks: a command, the proof of a backup, a migration.
 * It only reads. No message contains a text of the household or a secret.
 */
export async function verifyLedger(tx: ReadTx, { keys = [], expected }: ToVerify = {}): Promise<LedgerCheck[]> {
  const figures = await ledgerFigures(tx).catch(() => undefined);
  const checks: readonly [LedgerCheck['name'], () => Promise<Finding>][] = [
    ['integrity', () => checkIntegrity(tx)],
    ['references', () => checkReferences(tx)],
    ['rows', async () => compareRows(figures, expected)],
    ['sums', async () => compareSums(figures, expected)],
    ['totals', () => checkTotals(tx)],
    ['consistency', () => checkConsistency(tx)],
    ['search', () => checkSearch(tx)],
    ['secrets', () => checkSecrets(tx, keys)],
  ];
  const found: LedgerCheck[] = [];
  for (const [name, check] of checks) found.push({ name, ...(await check().catch(couldNotCheck)) });
  return found;
}

export function isVerified(checks: readonly Pick<LedgerCheck, 'status'>[]): boolean {
  return checks.every(({ status }) => status !== 'fail');
}

function couldNotCheck(error: unknown): Finding {
  return fail(`This could not be checked: ${error instanceof Error ? error.message : String(error)}`);
}

async function checkIntegrity(tx: ReadTx): Promise<Finding> {
  const damage = await tx.portable.damage(tx, SHOWN);
  return damage.length === 0 ? pass('The database is undamaged.') : fail(`The database is damaged: ${listed(damage)}`);
}

async function checkReferences(tx: ReadTx): Promise<Finding> {
  const references = declaredReferences();
  const broken: string[] = [];
  for (const reference of references) {
    const count = await countBroken(tx, reference);
    if (count > 0) broken.push(`${count} in ${reference.table}.${reference.column} to ${reference.parent}`);
  }
  if (broken.length > 0) return fail(`References to rows that do not exist: ${listed(broken)}.`);
  return pass(`All ${references.length} kinds of references lead to a row.`);
}

async function countBroken(tx: ReadTx, { table, column, parent, parentColumn }: Reference): Promise<number> {
  return countOf(
    tx,
    sql`select count(*) as n from ${sql.table(table)} r where ${sql.ref(`r.${column}`)} is not null
      and not exists (select 1 from ${sql.table(parent)} p where ${sql.ref(`p.${parentColumn}`)} = ${sql.ref(`r.${column}`)})`,
  );
}

function compareRows(figures: LedgerFigures | undefined, expected: LedgerFigures | undefined): Finding {
  if (!figures) return fail('The rows could not be counted.');
  const wrong = expected ? differencesOf(figures, expected).rows : [];
  if (wrong.length > 0) return fail(`Other numbers of rows than expected: ${listed(wrong)}.`);
  const { transactions = 0, accounts = 0 } = figures.rows;
  const total = Object.values(figures.rows).reduce((sum, count) => sum + count, 0);
  return pass(`${total} rows, of them ${transactions} transactions and ${accounts} accounts.`);
}

function compareSums(figures: LedgerFigures | undefined, expected: LedgerFigures | undefined): Finding {
  if (!figures) return fail('The amounts could not be added up.');
  const wrong = expected ? differencesOf(figures, expected).sums : [];
  if (wrong.length > 0) return fail(`Other sums than expected: ${listed(wrong)}.`);
  return pass(`The amounts add up for ${figures.sums.length} pairs of account and currency.`);
}

const KEYS = `month, account_id, coalesce(category_id, ''), coalesce(attributed_user_id, ''),
  coalesce(iso_currency_code, '')`;
const MERCHANT = `coalesce(counterparty_id, ''),
  case when counterparty_id is null then coalesce(merchant_text_id, name_text_id) else 0 end`;
const SUMS = `cast(count(*) as bigint), cast(count(case when amount_cents > 0 then 1 end) as bigint),
  cast(sum(amount_cents) as bigint), cast(sum(case when amount_cents < 0 then amount_cents else 0 end) as bigint)`;
const POSTED = 'from transactions where deleted_at is null and pending = 0';

/** The stored totals, which triggers keep, and what they are the totals of. */
const TOTALS = {
  monthly_totals: `select ${KEYS}, ${SUMS} ${POSTED} group by 1, 2, 3, 4, 5`,
  merchant_totals: `select ${KEYS}, ${MERCHANT}, ${SUMS} ${POSTED} group by 1, 2, 3, 4, 5, 6, 7`,
};

async function checkTotals(tx: ReadTx): Promise<Finding> {
  let wrong = 0;
  for (const [table, rows] of Object.entries(TOTALS)) {
    for (const query of [
      `select * from ${table} except select * from (${rows}) as expected`,
      `select * from (${rows}) as expected except select * from ${table}`,
    ]) {
      wrong += await countOf(tx, sql.raw(`select count(*) as n from (${query}) as differences`));
    }
  }
  if (wrong > 0) return fail(`${wrong} stored totals differ from the transactions that they are of.`);
  return pass('The stored totals equal the transactions.');
}

/** What no row may be, and cheap to ask. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'merged transactions that still count': 'from transactions where merged_into_id is not null and deleted_at is null',
  'transactions merged into themselves': 'from transactions where merged_into_id = id',
  'categories inside themselves': 'from categories where parent_id = id',
  'matches of an account with itself': `from transaction_matches m
    join transactions p on p.id = m.primary_transaction_id join transactions d on d.id = m.dependent_transaction_id
    where m.confidence <> 'rejected' and p.account_id = d.account_id`,
  'changes counted in no change set': `from change_sets s where s.is_open = 0 and s.import_id is null
    and s.sync_log_id is null and s.created_count + s.updated_count + s.deleted_count = 0
    and exists (select 1 from changes c where c.change_set_id = s.id)`,
  'reversals of unknown change sets': `from change_sets s where s.reverts_change_set_id is not null
    and not exists (select 1 from change_sets o where o.id = s.reverts_change_set_id)`,
};

async function checkConsistency(tx: ReadTx): Promise<Finding> {
  const wrong: string[] = [];
  for (const [what, query] of Object.entries(IMPOSSIBLE)) {
    const count = await countOf(tx, sql.raw(`select count(*) as n ${query}`));
    if (count > 0) wrong.push(`${count} ${what}`);
  }
  const current = await countOf(tx, sql`select count(*) as n from encryption_keys where is_current = 1`);
  if (current > 1) wrong.push(`${current} current encryption keys`);
  return wrong.length > 0 ? fail(`What cannot be: ${listed(wrong)}.`) : pass('The rows agree with each other.');
}

async function checkSearch(tx: ReadTx): Promise<Finding> {
  const unsearchable = await countOf(tx, tx.portable.unsearchableTexts);
  if (unsearchable > 0)
    return fail(`${unsearchable} texts are missing from the search index, or are there for nothing.`);
  return pass('Every text can be searched.');
}

async function checkSecrets(tx: ReadTx, keys: readonly Uint8Array[]): Promise<Finding> {
  const records = await selectRecords(tx);
  if (records.length === 0) return pass('No secret is stored.');
  const current = await findCurrentKey(tx);
  if (!current) return fail('Secrets are stored, but the database has no current encryption key.');
  if (keys.length === 0) return skip('The secrets were not read, because no key is at hand.');
  const unread = records.filter(({ place, record }) =>
    keys.every((key) => decryptRecord(key, place, record) === undefined),
  );
  if (unread.length > 0) {
    const places = [...new Set(unread.map(({ table, column }) => `${table}.${column}`))];
    const tried = keys.map(keyIdOf).join(', ');
    return fail(
      `${unread.length} of ${records.length} secrets cannot be read with the key ${tried}; ` +
        `the database needs ${current.key_id}: ${listed(places)}.`,
    );
  }
  return pass(`All ${records.length} secrets can be read.`);
}

async function countOf(tx: ReadTx, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`${query}`.execute(tx.q);
  return Number(rows[0]?.n ?? 0);
}

function listed(findings: readonly string[]): string {
  const more = findings.length - SHOWN;
  return findings.slice(0, SHOWN).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

const pass = (message: string): Finding => ({ status: 'pass', message });
const fail = (message: string): Finding => ({ status: 'fail', message });
const skip = (message: string): Finding => ({ status: 'skip', message });
