import type { ConnectionsTable, UsersTable } from '../../../db/schema.ts';
import type { AccountInFile, DetectionCandidate } from '../../../engines/imports/analysis.ts';
import { AppError, type ErrorDetail } from '../../../kernel/errors.ts';
import type { ComparedAccount } from './account-candidates.ts';
import type { Membership } from './given-target.ts';
import type { AccountRow } from './targets.queries.ts';

/** The errors of an account that is open, or contradicts what is known (36.4). */

/** A possible account of the file, with the evidence for or against it. */
export type Choice = Pick<ComparedAccount, 'account' | 'lastDate'> &
  Partial<Pick<ComparedAccount, 'isNamedSo'>> & { stand: ComparedAccount['stand'] | null };

const MEANINGS = {
  meets: 'meets: it already has rows of this file',
  differs: 'differs: it has other rows on the same days',
  open: 'open: it has no rows on these days',
} as const;

/**
 * Asks which account it is. Lists the candidates and, last, a new account. `why` says what was compared.
 */
export function whichAccount(why: string, choices: readonly Choice[], membership: Membership | null): AppError {
  const values = choices.map(shownChoice);
  const members = membersToName(membership);
  const details: ErrorDetail[] = [
    ...values.map(({ value, raw, read_as: read }) => ({ path: 'account_id', message: `${value}: ${raw}, ${read}` })),
    {
      path: 'account_name',
      message: `to create an account: send its name${andMember(members)}`,
    },
    ...members,
  ];
  const listed = values.map(({ value, raw }) => `${raw} (${value})`).join(', ');
  const message = `${why} Choose one of these accounts: ${listed}. Or name a new account.`;
  return new AppError('VALIDATION_ERROR', message, {
    details,
    members: { candidates: [{ parameter: 'account_id', values }] },
  });
}

/** An account value whose account is open. */
interface OpenValue {
  readonly shown: string | null;
  readonly choices: readonly Choice[];
}

/** Asks where these values of the file go: to a known account, to a new one, or nowhere. */
export function whichAccounts(open: readonly OpenValue[], membership: Membership): AppError {
  const members = membersToName(membership);
  const asked = open.map(({ shown, choices }) => ({
    parameter: `accounts.${shown ?? ''}`,
    values: choices.map(shownChoice),
  }));
  const details: ErrorDetail[] = asked.flatMap(({ parameter: path, values }) => [
    ...values.map(({ value, raw, read_as: read }) => ({ path, message: `${value}: ${raw}, ${read}` })),
    { path, message: `to create an account: send {"name": its name}${andMember(members)}` },
    { path, message: 'to leave its rows out: send null' },
  ]);
  const listed = open.map(({ shown }) => `"${shown ?? ''}"`).join(', ');
  const message = `The file has several accounts, and nothing shows where the rows of ${listed} go. Choose an account for each, name a new one, or leave its rows out.`;
  return new AppError('VALIDATION_ERROR', message, {
    details: [...details, ...members],
    members: { candidates: asked },
  });
}

/** A field with which the request can insist on an account that the file contradicts. */
export interface Settling {
  readonly path: 'account_type' | 'iso_currency_code';
  readonly value: string;
}

const WHY = {
  account_type: 'it is of another kind of account: of a card, or of none',
  iso_currency_code: 'its bank uses another currency',
} as const;

/** Asks whether the named account is meant, which the file contradicts: others that fit come first. */
export function contradicted(
  account: AccountRow,
  { namedBy, fitting, settling }: { namedBy: string; fitting: readonly AccountRow[]; settling: readonly Settling[] },
): AppError {
  const named = `${nameOf(account)} (${account.short_id})`;
  const values = fitting.map((one) => ({ value: one.short_id, line: 1, raw: nameOf(one), read_as: 'fits the file' }));
  const insist = settling.map(({ path, value }) => `${path}=${value}`).join(' and ');
  const details: ErrorDetail[] = [
    { path: namedBy, message: `${named} does not fit: ${settling.map(({ path }) => WHY[path]).join(', and ')}` },
    ...values.map(({ value, raw }) => ({ path: 'account_id', message: `${value}: ${raw}, fits the file` })),
    { path: 'account_name', message: 'to create an account: send a name that no account has' },
    ...settling.map(({ path }) => ({ path, message: `to use ${named} all the same: send ${insist}` })),
  ];
  const others = values.map(({ value, raw }) => `${raw} (${value})`).join(', ');
  const choose = others === '' ? 'Name a new account' : `Choose one that fits: ${others}. Or name a new account`;
  const message = `The file does not look like one of ${named}: ${settling.map(({ path }) => WHY[path]).join(', and ')}. ${choose}, or send ${insist} if it belongs there all the same.`;
  const told = settling.map(({ path: parameter, value }) => ({
    parameter,
    values: [{ value, line: 1, raw: nameOf(account), read_as: `the rows belong to ${named}` }],
  }));
  return new AppError('VALIDATION_ERROR', message, {
    details,
    members: { candidates: [{ parameter: 'account_id', values }, ...told] },
  });
}

function shownChoice({ account, stand, lastDate, isNamedSo }: Choice): DetectionCandidate {
  const read = [
    lastDate === null ? 'no rows yet' : `last row ${lastDate}`,
    ...(stand === null ? [] : [MEANINGS[stand]]),
    ...(isNamedSo === false ? ['this file names its account differently from earlier files'] : []),
  ];
  return { value: account.short_id, line: 1, raw: nameOf(account), read_as: read.join(', ') };
}

/** The members to choose from for a new account, if neither the request nor its caller shows the owner. */
function membersToName(membership: Membership | null): ErrorDetail[] {
  if (membership === null || membership.stated !== null || membership.implied !== null) return [];
  return membership.all.map(({ short_id, name }) => ({ path: 'user_id', message: `${short_id}: ${name}` }));
}

function andMember(members: readonly ErrorDetail[]): string {
  return members.length === 0 ? '' : ', and user_id for the member it belongs to';
}

export function listingOf(values: readonly { shown: string | null; inFile: AccountInFile }[]): string {
  const listed = values.map(
    ({ shown, inFile }) => `${shown ?? '(none)'}: ${inFile.row_count} ${inFile.row_count === 1 ? 'row' : 'rows'}`,
  );
  return `The file has several accounts. Choose from the accounts in it: ${listed.join(', ')}.`;
}

export function boundElsewhere(bound: AccountRow, wanted: AccountRow): AppError {
  return new AppError(
    'CONFLICT',
    `The file belongs to the account ${nameOf(bound)} (${bound.short_id}), but you chose ${nameOf(wanted)} (${wanted.short_id}). Choose ${nameOf(bound)}, or a file of ${nameOf(wanted)}.`,
    { details: [{ path: 'account_id', message: `Leave account_id out, or send ${bound.short_id}.` }] },
  );
}

export function boundOutside(bound: AccountRow, connection: ConnectionsTable): AppError {
  return new AppError(
    'CONFLICT',
    `The file belongs to the account ${nameOf(bound)} (${bound.short_id}), which is not in the connection you chose (${connection.short_id}). Choose that account instead.`,
    {
      details: [{ path: 'connection_id', message: `Leave connection_id out, or send account_id: ${bound.short_id}.` }],
    },
  );
}

/** The file belongs to an account of another member than the request says. */
export function ofAnotherMember(
  account: AccountRow,
  member: UsersTable,
  { isNumbered }: { isNumbered: boolean },
): AppError {
  const otherwise = isNumbered ? '' : ', or name a new account';
  const more = isNumbered ? [] : [{ path: 'account_name', message: 'Or send account_name to create an account.' }];
  return new AppError(
    'CONFLICT',
    `The file belongs to the account ${nameOf(account)} (${account.short_id}), which is not ${member.name}’s. Choose its owner${otherwise}.`,
    { details: [{ path: 'user_id', message: `Leave user_id out; ${member.short_id} does not own it.` }, ...more] },
  );
}

function nameOf(account: AccountRow): string {
  return account.display_name ?? account.name;
}
