import { areCompatibleKeys, nameKey } from '../matching/name-key.ts';
import type {
  AccountCandidate,
  AccountDecision,
  AccountsToPlan,
  Institution,
  ReportedAccount,
} from './accounts-plan.ts';

/** Accounts that a reported one may be by one rule. */
interface Claim {
  readonly reported: ReportedAccount;
  readonly candidates: readonly AccountCandidate[];
}

type Rule = 'persistent_id' | 'mask' | 'name';

/** Which account of the household each reported one is (30.8.1, rules 1 to 3); in the order of the report. */
export function planAccounts(accounts: AccountsToPlan): AccountDecision[] {
  const { reported, aliases } = accounts;
  const decided = new Map<ReportedAccount, { accountId: string; rule: AccountDecision['rule'] }>();
  const claimed = new Set<string>();
  for (const one of reported) {
    const accountId = aliases.get(one.externalId);
    if (accountId === undefined || claimed.has(accountId)) continue;
    decided.set(one, { accountId, rule: 'known' });
    claimed.add(accountId);
  }
  const undecided = new Map<ReportedAccount, Set<string>>();
  for (const rule of ['persistent_id', 'mask', 'name'] as const) {
    const claimsNow = (): Claim[] =>
      reported
        .filter((one) => !decided.has(one))
        .map((one) => ({
          reported: one,
          candidates: accounts.candidates.filter(
            (candidate) =>
              !claimed.has(candidate.id) && mayBe(accounts, one, candidate) && MATCHES[rule](one, candidate),
          ),
        }));
    // What one account claims is no longer open to the others, which may leave them a single one.
    for (let found = choose(rule, claimsNow()); found.length > 0; found = choose(rule, claimsNow())) {
      for (const { one, account } of found) {
        decided.set(one, { accountId: account.id, rule });
        claimed.add(account.id);
      }
    }
    for (const { reported: one, candidates } of claimsNow()) {
      const ids = undecided.get(one) ?? new Set();
      for (const { id } of candidates) ids.add(id);
      undecided.set(one, ids);
    }
  }
  return reported.map((one) => {
    const { accountId, rule } = decided.get(one) ?? { accountId: null, rule: 'new' as const };
    const open = accountId === null ? [...(undecided.get(one) ?? [])].filter((id) => !claimed.has(id)) : [];
    return { externalId: one.externalId, accountId, rule, undecidedIds: open };
  });
}

const MATCHES: Record<Rule, (one: ReportedAccount, candidate: AccountCandidate) => boolean> = {
  persistent_id: (one, { persistentId }) => persistentId !== null && one.persistentId === persistentId,
  mask: (one, candidate) =>
    one.mask !== null &&
    one.mask === candidate.mask &&
    (candidate.source === 'csv' || (one.type === candidate.type && isSameSubtype(one, candidate))),
  name: (one, candidate) =>
    candidate.source !== 'csv' &&
    (one.mask === null || candidate.mask === null) &&
    one.type === candidate.type &&
    hasSameName(one, candidate),
};

/** The certain ones: each claims only the other, and nothing else has an equal claim to it. */
function choose(rule: Rule, claims: readonly Claim[]): { one: ReportedAccount; account: AccountCandidate }[] {
  const chosen = claims.flatMap(({ reported: one, candidates }) => {
    const named = rule === 'mask' ? candidates.filter((candidate) => hasSameName(one, candidate)) : [];
    const account = candidates.length === 1 ? candidates[0] : named.length === 1 ? named[0] : undefined;
    return account ? [{ one, account }] : [];
  });
  return chosen.filter(({ one, account }) => {
    const rivals = claims.filter(({ candidates }) => candidates.some(({ id }) => id === account.id));
    if (rivals.length === 1) return true;
    const namesakes = rivals.filter(({ reported }) => hasSameName(reported, account));
    return rule === 'mask' && namesakes.length === 1 && namesakes[0]?.reported === one;
  });
}

/** Whether the account is open to the reported one at all: gone from the provider's list, or of a bank that fits. */
function mayBe(accounts: AccountsToPlan, one: ReportedAccount, candidate: AccountCandidate): boolean {
  const own = one.institution ?? accounts.institution;
  if (candidate.source === 'csv') return hasCompatibleName(own, candidate.institution);
  if (candidate.source === 'former') return isSameBank(accounts, own, candidate);
  return one.institution === null || isUnknownBank(candidate.institution) || isSameBank(accounts, own, candidate);
}

/** By id if the provider is the same and both are known, else by name. */
function isSameBank({ provider }: AccountsToPlan, own: Institution, candidate: AccountCandidate): boolean {
  const other = candidate.institution;
  if (provider === candidate.provider && own.id !== null && other.id !== null) return own.id === other.id;
  return own.name !== null && other.name !== null && nameKey(own.name) === nameKey(other.name);
}

function isUnknownBank({ id, name }: Institution): boolean {
  return id === null && name === null;
}

function hasCompatibleName(one: Institution, other: Institution): boolean {
  return one.name !== null && other.name !== null && areCompatibleKeys(nameKey(one.name), nameKey(other.name));
}

function isSameSubtype(one: ReportedAccount, candidate: AccountCandidate): boolean {
  return one.subtype === null || candidate.subtype === null || one.subtype === candidate.subtype;
}

function hasSameName(one: ReportedAccount, candidate: AccountCandidate): boolean {
  const keys = new Set(keysOf(candidate));
  return keysOf(one).some((key) => keys.has(key));
}

function keysOf({ name, officialName }: ReportedAccount | AccountCandidate): string[] {
  return [name, officialName].filter((text) => text !== null && text !== '').map((text) => nameKey(text as string));
}
