import { write, type WriteTx } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { addDays } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { inLittleMemory, releaseMemory } from '../../../kernel/memory.ts';
import { actorOf, type BackgroundContext, type Instance, type Principal } from '../../handler.ts';
import { tellOfFlagged } from '../../notifications/index.ts';
import { openIngestion, WITHOUT_RULES } from '../../rules/index.ts';
import { endingMatches, touchedRows } from '../../touched-rows.ts';
import { reconcileAfter } from '../../transaction-matches/index.ts';
import { endWorkLeases } from '../../work-leases.ts';
import { noteCause } from '../../workflow-triggers/index.ts';
import { alreadyImported } from '../plan/already-imported.ts';
import { connectionOf, describePlan, type CreatedIds } from '../plan/describe-plan.ts';
import type { ImportWarning } from '../import-records.contract.ts';
import { whyEnded } from '../doors/import-turn.ts';
import { warning } from '../plan/import-warnings.ts';
import { isUnfinished, updateImport } from '../records/imports.queries.ts';
import { optionsOf, progressOf, storedTexts } from '../records/imports.table.ts';
import { proofsOfAccounts } from './account-proofs.ts';
import { learnSettings, type LearnedSettings } from './learned-settings.ts';
import { planFor } from '../plan/plan-import.ts';
import type { Plan } from '../plan/plan.ts';
import { onlyAccount, refuse, type ReadFile } from '../doors/read-file.ts';
import { placesIn } from '../target/remembered-places.ts';
import {
  adoptHouseholdCurrency,
  nameCurrencies,
  stampConnections,
  writeBalances,
  writeTargets,
} from './write-accounts.ts';
import { makeTagsOf, writeAdded } from './write-added.ts';
import { writeMatched } from './write-matched.ts';
import { writeRecords } from './write-records.ts';

/**
 * Writes an import in one transaction with one change set (36.8.1, step 3). Rows are matched inside it, so two
 * simultaneous imports never both add a row. `finish` runs last and returns the answer.
 */
export async function writeImport<T>(
  { instance, principal, request }: BackgroundContext,
  fileAsRead: ReadFile,
  importId: string,
  finish: (tx: WriteTx) => Promise<T>,
): Promise<T> {
  const origin = {
    actor: actorOf(principal),
    surface: request.surface,
    source: 'import' as const,
    action: 'import.create',
    reason: request.reason,
    requestId: request.id,
    importId,
  };
  let changedAccounts: readonly string[] = [];
  const planAndWrite = async (tx: WriteTx): Promise<T> => {
    if (!(await isUnfinished(tx, importId))) throw await whyEnded(tx, importId);
    const planned = { importId, ...(await planNow(tx, instance, principal, fileAsRead)) };
    instance.failpoint('import:matched');
    if (planned.plan.rows.length > LIMITS.importReleasedAboveRecords) releaseMemory();
    const written = await writeLedger(tx, instance, planned);
    await completeRecord(tx, planned, written);
    changedAccounts = isChanging(tx, planned) ? [...written.createdIds.accountIds.values()] : [];
    await endWorkLeases(tx, 'import', [importId]);
    tx.journal.summarise(sentence(planned.plan, written.changedCount));
    if (planned.plan.added.length + changedIds(planned.plan).length > 0) {
      await noteCause(tx, instance, { id: importId, kind: 'import', happenedAt: written.finishedAt });
    }
    const answer = await finish(tx);
    instance.failpoint('import:before-commit');
    return answer;
  };
  const run = endingMatches((tx) => inMemoryFor(fileAsRead, () => planAndWrite(tx)));
  const { value } = await write(instance.database, origin, run);
  instance.failpoint('import:committed');
  await reconcileAfter(instance, { accountIds: changedAccounts, importId });
  return value;
}

/** Matching and writing many rows leave little garbage behind. */
function inMemoryFor<T>({ analysis }: ReadFile, work: () => Promise<T>): Promise<T> {
  return analysis.total_rows > LIMITS.importSavesMemoryAboveRecords ? inLittleMemory(work) : work();
}

/** Whether the import changed what account links match by; rows that it added are not among its changes. */
function isChanging(tx: WriteTx, { plan }: PlannedImport): boolean {
  return plan.added.length > 0 || touchedRows(tx)?.isAffected === true;
}

/** An import whose turn has come, with its plan for the ledger as it is now. */
interface PlannedImport {
  importId: string;
  file: ReadFile;
  plan: Plan;
}

/** What an import wrote besides the transactions it added. */
interface Written {
  createdIds: CreatedIds;
  changedCount: number;
  failedRules: readonly string[];
  learned: LearnedSettings;
  finishedAt: string;
}

/** Writes accounts, transactions, balances and import rows, runs the rules, and learns for later files. */
async function writeLedger(tx: WriteTx, instance: Instance, { importId, file, plan }: PlannedImport): Promise<Written> {
  const createdIds = await writeTargets(tx, plan);
  const { bank_id_namespace: namespace } = file.analysis;
  const noteProgress = progressOfWriting(instance, importId, plan);
  noteProgress('writing', 0);
  const onChunk = (addedSoFar: number): void => {
    noteProgress('writing', addedSoFar);
    instance.failpoint('import:rows-written');
  };
  const tagsOf = await makeTagsOf(tx, plan);
  const ingestion = file.fields.run_rules ? await openIngestion(tx, 'import') : WITHOUT_RULES;
  await writeAdded(tx, plan, createdIds, { importId, namespace, ingestion, tagsOf, onChunk });
  const changedCount = await writeMatched(tx, plan, namespace);
  await nameCurrencies(tx, plan);
  await writeBalances(tx, plan, createdIds, importId);
  const origins = await writeRecords(tx, file, plan, createdIds, importId);
  noteProgress('rules', plan.added.length);
  await ingestion.onChanged(changedIds(plan));
  if (plan.added.length > 0) await adoptHouseholdCurrency(tx, file);
  const { failedRules, flagged } = await ingestion.finish(ruleRunOf(tx, plan, importId));
  await tellOfFlagged(tx, flagged, { type: 'import', id: importId, data: { import_id: importId } });
  const finishedAt = instantNow(instance.clock);
  await stampConnections(tx, createdIds, finishedAt);
  const learned = { ...(await learnSettings(tx, file, plan, createdIds, importId)), origins };
  return { createdIds, changedCount, failedRules, learned, finishedAt };
}

/** Plans again for the ledger as it is now: another import may have written since the file was read. */
async function planNow(
  tx: WriteTx,
  instance: Instance,
  principal: Principal | null,
  asRead: ReadFile,
): Promise<{ file: ReadFile; plan: Plan }> {
  let file = asRead;
  let plan = await planFor(tx, instance, principal, file);
  if ((onlyAccount(plan.target)?.id ?? null) !== file.targetId) {
    file = { ...file, ...(await file.readAgain(tx)) };
    refuse(file);
    plan = await planFor(tx, instance, principal, file);
  }
  const again = await alreadyImported(tx, plan.target, file.analysis, file.sha256);
  const refusal = plan.target.conflict ?? again?.error;
  if (refusal) throw refusal;
  return { file, plan };
}

/** Rows that count as changed for the rules (36.8.4): updated and restored ones. */
function changedIds({ accounts }: Plan): string[] {
  const ids: string[] = [];
  for (const { rows } of accounts) {
    for (const row of rows) {
      if ((row.outcome === 'updated' || row.reason === 'BROUGHT_BACK') && row.ledger) ids.push(row.ledger.id);
    }
  }
  return ids;
}

function ruleRunOf({ journal }: WriteTx, { accounts, target }: Plan, importId: string) {
  const existing = accounts[0]?.target.account;
  return {
    run_id: importId,
    import_id: importId,
    sync_log_id: null,
    change_set_id: journal.isEmpty() ? null : journal.changeSetId,
    institution_name: existing ? existing.institution_name : target.institutionName,
  };
}

function ruleFailed(name: string): ImportWarning {
  return warning('RULE_FAILED', `The rule "${name}" failed on some rows and did not change them.`, []);
}

/** Completes the import's record. */
async function completeRecord(tx: WriteTx, { importId, file, plan }: PlannedImport, written: Written): Promise<void> {
  const { createdIds, failedRules, learned, finishedAt } = written;
  const report = await describePlan(tx, file, plan, createdIds);
  report.warnings.push(...failedRules.map(ruleFailed));
  const accountIds = [...new Set(createdIds.accountIds.values())];
  const proofs = proofsOfAccounts(plan, createdIds, report.balance_proof);
  const proofIn = (accountId: string): string | null => {
    const proof = proofs.get(accountId);
    return proof ? JSON.stringify(proof) : null;
  };
  await tx.insertMany(
    'import_accounts',
    ['import_id', 'account_id', 'first_date', 'last_date', 'proof'],
    accountIds.map((accountId) => [importId, accountId, ...daysIn(plan, createdIds, accountId), proofIn(accountId)]),
  );
  const { total } = report.counts;
  await updateImport(tx, importId, {
    status: 'completed',
    user_id: plan.target.user.id,
    connection_id: plan.accounts[0] ? connectionOf(plan, plan.accounts[0], createdIds) : createdIds.connectionId,
    account_id: accountIds.length === 1 ? (accountIds[0] as string) : null,
    ...storedTexts(report, optionsOf(file), learned, placesIn(plan, createdIds)),
    first_date: report.first_date,
    last_date: report.last_date,
    progress: progressOf('done', total, total),
    change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
    finished_at: finishedAt,
  });
}

/** The days of the file's posted rows in an account, as the ledger has them. */
function daysIn(plan: Plan, { accountIds }: CreatedIds, accountId: string): [string | null, string | null] {
  const own = plan.accounts.filter((account) => accountIds.get(account) === accountId);
  const days = own.flatMap(({ days: span, movedDays }) =>
    span === null ? [] : [addDays(span.first, movedDays), addDays(span.last, movedDays)],
  );
  days.sort();
  return [days[0] ?? null, days.at(-1) ?? null];
}

function sentence(plan: Plan, changedCount: number): string {
  const rows = (count: number): string => `${count} transaction${count === 1 ? '' : 's'}`;
  const changed = changedCount === 0 ? '' : `, changed ${rows(changedCount)}`;
  return `Imported ${rows(plan.added.length)}${changed}`;
}

/** Reports the progress of writing. Records that add nothing are done once they are matched. */
function progressOfWriting(
  { progress }: Instance,
  importId: string,
  { rows, added }: Plan,
): (phase: 'writing' | 'rules', addedSoFar: number) => void {
  const base = rows.length - added.length;
  return (phase, addedSoFar) => progress.note(importId, progressOf(phase, base + addedSoFar, rows.length));
}
