import type { ImportsTable } from '../../db/schema.ts';
import { isCurrencyStated } from '../../engines/imports/currency-choice.ts';
import { write, type WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { adoptAccountCurrency } from '../accounts/index.ts';
import { adoptCurrency } from '../config/index.ts';
import { actorOf, type BackgroundContext, type Instance, type Principal } from '../handler.ts';
import { openIngestion, WITHOUT_RULES } from '../rules/index.ts';
import { alreadyImported } from './already-imported.ts';
import { connectionOf, type CreatedIds, describePlan } from './describe-plan.ts';
import type { ImportWarning } from './import-records.contract.ts';
import { interrupted } from './import-turn.ts';
import { warning } from './import-warnings.ts';
import { updateImport } from './imports.queries.ts';
import { optionsOf, progressOf, storedTexts } from './imports.table.ts';
import { type LearnedSettings, learnSettings } from './learned-settings.ts';
import { progressTeller } from './live-progress.ts';
import type { Plan } from './plan.ts';
import { planFor } from './preview-csv.ts';
import { onlyAccount, type ReadFile } from './read-file.ts';
import { refuse } from './refuse.ts';
import { placesIn } from './remembered-places.ts';
import { stampCsvConnectionsOf } from './targets.queries.ts';
import { deleteLeases, isUnfinished } from './turns.queries.ts';
import { writeAdded } from './write-added.ts';
import { writeBalances } from './write-balances.ts';
import { writeMatched } from './write-matched.ts';
import { writeRecords } from './write-records.ts';
import { makeTagsOf } from './write-tags.ts';
import { writeTargets } from './write-targets.ts';

/**
 * Everything an import writes, in one transaction with one change set (36.8.1, step 3). Identity is decided inside
 * it, so two imports at once cannot both add a row. `finish` sees all of it, and answers.
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
  const { value } = await write(instance.database, origin, async (tx) => {
    if (!(await isUnfinished(tx, importId))) throw interrupted();
    const { file, plan } = await planNow(tx, instance, principal, fileAsRead);
    instance.failpoint('import:matched');
    const createdIds = await writeTargets(tx, plan);
    const { bank_id_namespace: namespace } = file.analysis;
    const progressed = progressTeller(instance, importId, plan);
    progressed('writing', 0);
    const onChunk = (addedSoFar: number): void => {
      progressed('writing', addedSoFar);
      instance.failpoint('import:rows-written');
    };
    const tagsOf = await makeTagsOf(tx, plan);
    const ingestion = file.fields.run_rules ? await openIngestion(tx, 'import') : WITHOUT_RULES;
    await writeAdded(tx, plan, createdIds, { importId, namespace, ingestion, tagsOf, onChunk });
    const changedCount = await writeMatched(tx, plan, namespace);
    await nameCurrencies(tx, plan);
    await writeBalances(tx, plan, createdIds, importId);
    const origins = await writeRecords(tx, file, plan, createdIds, importId);
    progressed('rules', plan.added.length);
    await ingestion.onChanged(changedIds(plan));
    if (plan.added.length > 0) await adoptHouseholdCurrency(tx, file);
    const failedRules = await ingestion.finish(runOf(tx, plan, importId));
    const finishedAt = instantNow(instance.clock);
    await stampConnections(tx, createdIds, finishedAt);
    const learned = { ...(await learnSettings(tx, file, plan, createdIds, importId)), origins };
    await complete(
      tx,
      file,
      plan,
      createdIds,
      { failedRules, learned },
      {
        id: importId,
        change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
        finished_at: finishedAt,
      },
    );
    await deleteLeases(tx, [importId]);
    tx.journal.summarise(sentence(plan, changedCount));
    const answer = await finish(tx);
    instance.failpoint('import:before-commit');
    return answer;
  });
  instance.failpoint('import:committed');
  return value;
}

/** The plan for the ledger as it is now: another import may have written since the file was read. */
async function planNow(
  tx: WriteTx,
  instance: Instance,
  principal: Principal | null,
  asRead: ReadFile,
): Promise<{ file: ReadFile; plan: Plan }> {
  let file = asRead;
  let plan = await planFor(tx, instance, principal, file);
  if ((onlyAccount(plan.target)?.id ?? null) !== file.targetId) {
    file = { ...file, ...(await file.settle(tx)) };
    refuse(file);
    plan = await planFor(tx, instance, principal, file);
  }
  const again = await alreadyImported(tx, plan.target, file.analysis, file.sha256);
  const refusal = plan.target.conflict ?? again?.error;
  if (refusal) throw refusal;
  return { file, plan };
}

/** Rows that count as changed for the rules (36.8.4): updated ones, and those that live again. */
function changedIds({ accounts }: Plan): string[] {
  return accounts.flatMap(({ rows }) =>
    rows.flatMap(({ ledger, outcome, reason }) =>
      ledger && (outcome === 'updated' || reason === 'BROUGHT_BACK') ? [ledger.id] : [],
    ),
  );
}

function runOf({ journal }: WriteTx, { accounts, target }: Plan, importId: string) {
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
  return warning(
    'RULE_FAILED',
    `The rule "${name}" failed on some rows. What it would have done there was left out.`,
    [],
  );
}

/** An account without a currency takes the one that became known of its rows (36.7.1). */
async function nameCurrencies(tx: WriteTx, plan: Plan): Promise<void> {
  for (const { target, rows } of plan.accounts) {
    const { account, inFile } = target;
    const currency = plan.currencyIn(account, inFile.iso_currency_code);
    if (account === null || account.iso_currency_code !== null || currency === null) continue;
    const isFilled = rows.some((row) => row.reason === 'CURRENCY_FILLED' && row.currency === currency);
    if (isFilled) await adoptAccountCurrency(tx, account, currency);
  }
}

/** The first import that names one currency makes it the household's (20.13). */
async function adoptHouseholdCurrency(tx: WriteTx, { analysis }: ReadFile): Promise<void> {
  const { currency } = analysis.detection;
  if (currency.value === null || currency.value === 'per_row' || !isCurrencyStated(currency)) return;
  await adoptCurrency(tx, currency.value);
}

/** The last sync of a csv connection is the end of its last import, whatever that changed (36.4). */
async function stampConnections(tx: WriteTx, createdIds: CreatedIds, finishedAt: string): Promise<void> {
  tx.journal.allowUnjournaled('connection');
  await stampCsvConnectionsOf(tx, [...new Set(createdIds.accountIds.values())], finishedAt);
}

async function complete(
  tx: WriteTx,
  file: ReadFile,
  plan: Plan,
  createdIds: CreatedIds,
  { failedRules, learned }: { failedRules: readonly string[]; learned: LearnedSettings },
  { id, ...ended }: Pick<ImportsTable, 'id' | 'change_set_id' | 'finished_at'>,
): Promise<void> {
  const report = await describePlan(tx, file, plan, createdIds);
  report.warnings.push(...failedRules.map(ruleFailed));
  const accountIds = [...new Set(createdIds.accountIds.values())];
  await tx.insertMany(
    'import_accounts',
    ['import_id', 'account_id'],
    accountIds.map((accountId) => [id, accountId]),
  );
  const { total } = report.counts;
  await updateImport(tx, id, {
    status: 'completed',
    user_id: plan.target.user.id,
    connection_id: plan.accounts[0] ? connectionOf(plan, plan.accounts[0], createdIds) : createdIds.connectionId,
    account_id: accountIds.length === 1 ? (accountIds[0] as string) : null,
    ...storedTexts(report, optionsOf(file), learned, placesIn(plan, createdIds)),
    first_date: report.first_date,
    last_date: report.last_date,
    progress: progressOf('done', total, total),
    ...ended,
  });
}

function sentence(plan: Plan, changedCount: number): string {
  const rows = (count: number): string => `${count} transaction${count === 1 ? '' : 's'}`;
  const changed = changedCount === 0 ? '' : `, changed ${rows(changedCount)}`;
  return `Imported ${rows(plan.added.length)}${changed}`;
}
