import type { AccountAliasesTable, TransactionOriginsTable } from '../../../db/schema.ts';
import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import { applyProfileChange, rememberProfile, type ProfileChange } from '../../import-profiles/index.ts';
import { defaultName } from '../target/account-naming.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import { deleteOrigin, findOriginOf, insertOrigins } from '../plan/ledger.queries.ts';
import type { Plan } from '../plan/plan.ts';
import type { ReadFile } from '../doors/read-file.ts';
import type { StatedNumber } from '../target/number-marks.ts';
import { deleteBinding, findBinding, namespaceOfMark, putBinding, type BindingKey } from '../target/targets.queries.ts';

/** What an import learns for later files (36.4, 36.12). Not part of the ledger, but reverted with the import. */
export interface LearnedSettings {
  bindings: readonly BindingChange[];
  profiles: readonly ProfileChange[];
  /** Rows entered by hand that the import took over. */
  origins: readonly OriginChange[];
}

export const NOTHING_LEARNED: LearnedSettings = { bindings: [], profiles: [], origins: [] };

/** Remembers how the file was read, for the next file with this header. */
export async function learnSettings(
  tx: BareWriteTx,
  file: ReadFile,
  plan: Plan,
  createdIds: CreatedIds,
  importId: string,
): Promise<LearnedSettings> {
  const { analysis, fields } = file;
  const { header_signature: headerSignature, profile } = analysis;
  const { bindings } = createdIds;
  if (headerSignature === null || !fields.remember_profile || fields.profile === 'none') {
    return { ...NOTHING_LEARNED, bindings };
  }
  const ids = [...new Set(createdIds.accountIds.values())];
  const { account, created } = plan.accounts[0]?.target ?? {};
  const accountName = account?.display_name ?? account?.name ?? created?.name;
  const remembered = await rememberProfile(tx, {
    headerSignature,
    headers: analysis.overruled_header ?? analysis.headers,
    isNamed: analysis.overruled_header !== null || analysis.detection.header.value !== null,
    accountId: ids.length === 1 ? (ids[0] as string) : null,
    institutionName: profile?.institution_name ?? null,
    settings: {
      ...analysis.settings,
      ...(fields.account_type === undefined ? {} : { account_type: fields.account_type }),
      ...(fields.account_subtype === undefined ? {} : { account_subtype: fields.account_subtype }),
    },
    wantedName: fields.profile_name,
    name: (ids.length === 1 ? accountName : undefined) ?? defaultName(analysis, file.fileName, null),
    importId,
  });
  return { ...NOTHING_LEARNED, bindings, profiles: [remembered] };
}

/** Reverts what was learned; what changed since stays (36.11). Returns what was done, so that it can be redone. */
export async function revertLearnedSettings(tx: BareWriteTx, learned: LearnedSettings): Promise<LearnedSettings> {
  const bindings: BindingChange[] = [];
  const profiles: ProfileChange[] = [];
  for (const one of learned.bindings.toReversed()) {
    const back = { before: one.after, after: one.before };
    if (await applyBindingChange(tx, back)) bindings.push(back);
  }
  const origins: OriginChange[] = [];
  for (const one of learned.origins) {
    const back = { ...one, before: one.after, after: one.before };
    if (await applyOriginChange(tx, back)) origins.push(back);
  }
  for (const one of learned.profiles.toReversed()) {
    const back = { before: one.after, after: one.before };
    if (await applyProfileChange(tx, back)) profiles.push(back);
  }
  return { bindings, profiles, origins };
}

/** The account that a number is bound to, before and after an import. */
export interface BindingChange {
  before: AccountAliasesTable | null;
  after: AccountAliasesTable | null;
}

/**
 * Binds an account number and what goes with it to an account. Returns what that changed. If an account of another bank
 * holds the number, only the marks are bound.
 */
export async function bindNumber(
  tx: BareWriteTx,
  { hash, marks, holderId }: StatedNumber,
  accountId: string,
  addsRows: boolean,
): Promise<BindingChange[]> {
  const isFree = marks.length === 0 || holderId === null || holderId === accountId;
  const keys = [
    ...(isFree ? [{ namespace: 'number', external_id: hash }] : []),
    ...marks.map(({ kind, id }) => ({ namespace: namespaceOfMark(kind, hash), external_id: id })),
  ];
  const changes: BindingChange[] = [];
  for (const key of keys) changes.push(...(await bind(tx, key, accountId, addsRows)));
  return changes;
}

/** A binding that is there already notes a file that adds rows, so that it outlives the revert of an earlier one. */
async function bind(tx: BareWriteTx, key: BindingKey, accountId: string, addsRows: boolean): Promise<BindingChange[]> {
  const before = (await findBinding(tx, key)) ?? null;
  const isBound = before?.account_id === accountId;
  if (isBound && (!addsRows || before.last_seen_at === tx.now)) return [];
  const after = {
    ...key,
    account_id: accountId,
    first_seen_at: isBound ? before.first_seen_at : tx.now,
    last_seen_at: tx.now,
  };
  await putBinding(tx, after);
  return [{ before, after }];
}

/** Turns a binding from `before` into `after`, unless it has changed since (36.11). Returns whether it did. */
async function applyBindingChange(tx: BareWriteTx, { before: from, after: to }: BindingChange): Promise<boolean> {
  const key = from ?? to;
  if (key === null) return false;
  const current = await findBinding(tx, key);
  if (current?.account_id !== from?.account_id || current?.last_seen_at !== from?.last_seen_at) return false;
  if (to) await putBinding(tx, to);
  else await deleteBinding(tx, key);
  return true;
}

/** The origin of a row entered by hand before and after an import took the row over. */
export interface OriginChange {
  before: TransactionOriginsTable | null;
  after: TransactionOriginsTable | null;
}

/** Turns an origin from `before` into `after`, unless it has changed since (36.11). Returns whether it did. */
async function applyOriginChange(tx: BareWriteTx, exchanged: OriginChange): Promise<boolean> {
  const { before: from, after: to } = exchanged;
  const id = (from ?? to)?.transaction_id;
  if (id === undefined) return false;
  const current = await findOriginOf(tx, id);
  if (current?.import_id !== from?.import_id || current?.content_key !== from?.content_key) return false;
  if (to) await insertOrigins(tx, [to]);
  else await deleteOrigin(tx, id);
  return true;
}
