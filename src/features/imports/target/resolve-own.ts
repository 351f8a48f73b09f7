import type { AccountInFile } from '../../../engines/imports/analysis.ts';
import type { AppError } from '../../../kernel/errors.ts';
import { FOUND } from './choose-account.ts';
import { memberOf } from './given-target.ts';
import type { OwnRows } from './own-rows.ts';
import { resolveSeveral } from './resolve-several.ts';
import { toTarget, type Target, type TargetAccount, type TargetInput } from './target-account.ts';
import { whichAccount, type Choice } from './target-errors.ts';
import type { AccountRow } from './targets.queries.ts';

const NO_ACCOUNT = 'Some rows of this export have no id of this household and name no account.';

/** The accounts of an export of Homeledger: rows that this household knows stay where they are (36.4, rule 2a). */
export async function resolveOwn(input: TargetInput, own: OwnRows): Promise<Target> {
  const { fields, given, analysis } = input;
  const known = new Map(own.accounts.map((account) => [account.id, knownAccount(account, own, input)]));
  const isListed = Object.keys(fields.accounts).length > 0 || fields.account_filter !== undefined;
  const open = [...own.unknown.keys()].filter(
    (value) => isListed || given.account !== null || own.accountOfValue(value) === null,
  );
  const isNamed = given.account !== null || given.connection !== null || fields.account_name !== undefined;
  const asked = !isNamed && open.includes(null) ? whichOf(own, input) : null;
  const values = analysis.accounts
    .filter((one) => isListed || (asked === null && open.includes(one.file_value)))
    .map((one) => ({ ...one, row_count: own.unknown.get(one.file_value) ?? one.row_count }));
  const others = values.length === 0 ? null : await resolveSeveral(input, values);
  const byValue = new Map<string | null, TargetAccount | null>();
  for (const [value, target] of others?.accounts ?? []) {
    const same = target?.account ? known.get(target.account.id) : undefined;
    byValue.set(value, same ?? target);
  }
  const isFilled = (value: string | null): boolean => own.unknown.has(value);
  const targetOfValue = (value: string | null): TargetAccount | null =>
    byValue.get(value) ?? known.get(own.accountOfValue(value)?.id ?? '') ?? null;
  for (const [value, count] of own.unknown) {
    const target = targetOfValue(value);
    if (target && known.get(target.account?.id ?? '') === target) target.inFile = plus(target.inFile, count);
  }
  const accounts = new Map<string | null, TargetAccount | null>([
    ...[...known].map(([id, target]) => [`\u0000${id}`, target] as const),
    ...[...byValue].filter(([value, target]) => isFilled(value) && ![...known.values()].includes(target as never)),
  ]);
  const [first] = own.accounts;
  const user = others?.user ?? memberOf(given.membership, first?.owner_id ?? null);
  const target = toTarget(input, user, accounts, others?.conflict ?? asked, others?.connectionId ?? null);
  return {
    ...target,
    keys: others?.keys ?? target.keys,
    leftOut: others?.leftOut ?? [],
    own: {
      transactionOf: (index) => own.transactionOf(index),
      targetOf: (index, value) => {
        if (byValue.get(value) === null) return null;
        const account = own.accountOf(index);
        return account ? (known.get(account.id) ?? null) : targetOfValue(value);
      },
    },
  };
}

function plus(inFile: AccountInFile, count: number): AccountInFile {
  return { ...inFile, row_count: inFile.row_count + count };
}

/** A row without account may be of any account of the export. */
function whichOf({ accounts }: OwnRows, { given }: TargetInput): AppError {
  const choices = accounts.map((account): Choice => ({ account, stand: null, lastDate: null }));
  return whichAccount(NO_ACCOUNT, choices, given.membership);
}

/** The account stays where it is, also if its bank connection is gone: an export is no file of a bank. */
function knownAccount(account: AccountRow, own: OwnRows, { analysis }: TargetInput): TargetAccount {
  const inFile: AccountInFile = {
    file_value: account.display_name ?? account.name,
    iso_currency_code: null,
    row_count: own.countOf(account),
    first_date: null,
    last_date: null,
    stated: null,
  };
  return {
    shownValue: analysis.accounts.length > 1 ? inFile.file_value : null,
    account,
    created: null,
    newHome: null,
    numbers: [],
    found: FOUND.export,
    inFile,
  };
}
