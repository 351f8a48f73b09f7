import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { type Exchanged, exchangeProfile, rememberProfile } from '../import-profiles/index.ts';
import { defaultName } from './account-names.ts';
import type { CreatedIds } from './describe-plan.ts';
import { exchangeBinding, type ExchangedBinding } from './exchange-binding.ts';
import { type ExchangedOrigin, exchangeOrigin } from './exchange-origin.ts';
import type { Plan } from './plan.ts';
import type { ReadFile } from './read-file.ts';

/** What an import remembers for later files (36.4, 36.12): no change of the ledger, but taken back with it. */
export interface LearnedSettings {
  bindings: readonly ExchangedBinding[];
  profiles: readonly Exchanged[];
  /** Rows entered by hand that the import made its own; imports of earlier versions have none. */
  origins?: readonly ExchangedOrigin[];
}

export const NOTHING_LEARNED: LearnedSettings = { bindings: [], profiles: [] };

/** Remembers how the file was read, for the next one of this header. */
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
    return { bindings, profiles: [] };
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
  return { bindings, profiles: [remembered] };
}

/** Reverts what was learned; what changed since stays (36.11). Returns what was done, so that it can be redone. */
export async function revertLearnedSettings(tx: BareWriteTx, learned: LearnedSettings): Promise<LearnedSettings> {
  const bindings: ExchangedBinding[] = [];
  const profiles: Exchanged[] = [];
  for (const one of learned.bindings.toReversed()) {
    const back = { before: one.after, after: one.before };
    if (await exchangeBinding(tx, back)) bindings.push(back);
  }
  const origins: ExchangedOrigin[] = [];
  for (const one of learned.origins ?? []) {
    const back = { ...one, before: one.after, after: one.before };
    if (await exchangeOrigin(tx, back)) origins.push(back);
  }
  for (const one of learned.profiles.toReversed()) {
    const back = { before: one.after, after: one.before };
    if (await exchangeProfile(tx, back)) profiles.push(back);
  }
  return { bindings, profiles, origins };
}
