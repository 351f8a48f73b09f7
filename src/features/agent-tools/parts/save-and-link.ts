import { z } from 'zod';

import type { OutputOf } from '../../../contract/operation.ts';
import { validationError } from '../../../kernel/errors.ts';
import { fold } from '../../../kernel/fold.ts';
import { LinkResult, transactionIds } from '../../facets/link.contract.ts';
import { unlinkTransactions } from '../../facets/index.ts';
import type { WriteContext } from '../../handler.ts';
import {
  createCounterparty,
  getCounterparty,
  linkCounterpartyTransactions,
  updateCounterparty,
} from '../../counterparties/counterparties.contract.ts';
import { findCounterpartyByFoldedName } from '../../counterparties/index.ts';
import { findSeriesByFoldedName } from '../../series/index.ts';
import { createSeries, getSeries, linkSeriesTransactions, updateSeries } from '../../series/series.contract.ts';
import { callOperation } from '../call-operation.ts';
import { reuseNamed } from './reuse-named.ts';

const ids = transactionIds(0).optional();

/** What tools take that link transactions to a record. */
export const LINK_ARGUMENTS = { add_transaction_ids: ids, remove_transaction_ids: ids };

/** What they answer besides the record. */
export const LINK_RESULT = {
  created: z.boolean(),
  ...LinkResult.shape,
  unlinked: z.int(),
};

/** Series and counterparties: both have a name of their own, and transactions that are linked to them. */
const KINDS = {
  series: {
    get: getSeries,
    create: createSeries,
    update: updateSeries,
    link: linkSeriesTransactions,
    findNamed: findSeriesByFoldedName,
  },
  counterparty: {
    get: getCounterparty,
    create: createCounterparty,
    update: updateCounterparty,
    link: linkCounterpartyTransactions,
    findNamed: findCounterpartyByFoldedName,
  },
} as const;

type Kind = keyof typeof KINDS;
type RecordOf<K extends Kind> = OutputOf<(typeof KINDS)[K]['get']>;

interface Wanted {
  id: string | undefined;
  name: string | undefined;
  newName: string | undefined;
  /** What else the record has, under the names of the operation. */
  fields: Readonly<Record<string, unknown>>;
  add: readonly string[] | undefined;
  remove: readonly string[] | undefined;
}

interface Saved<K extends Kind> {
  record: RecordOf<K>;
  created: boolean;
  linked: number;
  already_linked: number;
  skipped: readonly object[];
  unlinked: number;
}

/** Creates or changes the record, or reuses the one that has the name, and links and unlinks transactions (70.4). */
export async function saveAndLink<K extends Kind>(context: WriteContext, kind: K, wanted: Wanted): Promise<Saved<K>> {
  refuseContradictions(kind, wanted);
  const { journal } = context.tx;
  const { get, link } = KINDS[kind];
  const { record, created } = await save(context, kind, wanted);
  const { id, name } = record;
  const isChanged = !journal.isEmpty();
  const from = { binding: kind, id };
  const unlinked = await unlinkTransactions(context, from, wanted.remove ?? [], 'remove_transaction_ids');
  const linking = await linkAll(context, link, id, wanted.add);
  if (created || isChanged) {
    journal.refine({ action: `${kind}.${created ? 'create' : 'update'}` });
    journal.summarise(`${created ? 'Created' : 'Changed'} the ${kind} ${name}`);
  } else if (linking.linked === 0) {
    journal.refine({ action: `${kind}.unlink` });
    journal.summarise(`Unlinked ${unlinked === 1 ? '1 transaction' : `${unlinked} transactions`} from ${name}`);
  }
  return {
    record: (await callOperation(context, get, { params: { id } })) as RecordOf<K>,
    created,
    ...linking,
    unlinked,
  };
}

function refuseContradictions(kind: Kind, { id, name, newName, add = [], remove = [] }: Wanted): void {
  const idName = `${kind}_id`;
  if (id === undefined && name === undefined) {
    throw validationError('name', `name: is required, unless you send ${idName}.`);
  }
  if (id !== undefined && name !== undefined) {
    throw validationError('name', `name: finds the ${kind}, and so does ${idName}. Send one; new_name renames.`);
  }
  const both = remove.findIndex((one) => add.includes(one));
  if (both >= 0) {
    const path = `remove_transaction_ids[${both}]`;
    throw validationError(path, `${path}: is in both lists. Send it in one of them.`);
  }
  if (newName !== undefined && newName.trim() === '') throw validationError('new_name', 'new_name: must not be empty.');
}

async function save<K extends Kind>(
  context: WriteContext,
  kind: K,
  { id, name = '', newName, fields }: Wanted,
): Promise<{ record: RecordOf<K>; created: boolean }> {
  const { get, create, update, findNamed } = KINDS[kind];
  const find = (known: string) => callOperation(context, get, { params: { id: known } });
  const change = (known: string, body: object) =>
    callOperation(context, update, { params: { id: known }, body, argumentOf: { name: 'new_name' } });
  const all = { name: newName, ...fields };
  if (id !== undefined) return { record: (await change(id, all)) as RecordOf<K>, created: false };
  const row = await findNamed(context.tx, fold(name.trim()));
  if (row && !('canonical_counterparty_id' in row && row.canonical_counterparty_id !== null)) {
    const record = (await find(row.id)) as RecordOf<K>;
    await reuseNamed(context, kind, record, all, (body) => change(row.id, body));
    return { record, created: false };
  }
  if (newName !== undefined) {
    const message = `new_name: there is no ${kind} of this name to rename. Leave new_name out to create it.`;
    throw validationError('new_name', message);
  }
  return {
    record: (await callOperation(context, create, { body: { name, ...fields } })) as RecordOf<K>,
    created: true,
  };
}

async function linkAll(
  context: WriteContext,
  operation: (typeof KINDS)[Kind]['link'],
  id: string,
  add: readonly string[] = [],
): Promise<Pick<Saved<Kind>, 'linked' | 'already_linked' | 'skipped'>> {
  if (add.length === 0) return { linked: 0, already_linked: 0, skipped: [] };
  const { link_result: result } = await callOperation(context, operation, {
    params: { id },
    body: { transaction_ids: add },
    argumentOf: { transaction_ids: 'add_transaction_ids' },
  });
  return result;
}
