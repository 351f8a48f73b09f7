import { parseActions } from '../../engines/rules/parse-actions.ts';
import { parseCondition } from '../../engines/rules/parse-condition.ts';
import { Problems } from '../../engines/rules/problems.ts';
import { WantedRecords, type References } from '../../engines/rules/references.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { makeCounterparty } from '../counterparties/index.ts';
import { makeSeries } from '../series/index.ts';
import { isTagSlug, makeTag, nameOfSlug } from '../tags/index.ts';

/** The condition and actions of a rule in their stored form; placeholders are the ids of records yet to be created. */
export interface Definition {
  condition: StoredCondition;
  actions: readonly StoredAction[];
}

interface Sent {
  condition?: unknown;
  actions?: unknown;
}

/** Reads the rules of one request: a record that two of them want is created once. */
interface DefinitionReader {
  wanted: WantedRecords;
  /** `path` leads to the rule in the body: empty, or like `rules[2].`. */
  read(body: Sent, path: string): Definition;
  /** Only the parts that the body has: an update or a preview may lack some. `previous` is the stored definition. */
  readParts(body: Sent, path: string, previous?: Definition): Partial<Definition>;
  /** @throws VALIDATION_ERROR or INVALID_PARAMETER with one detail per problem */
  refuseProblems(): void;
}

export function readDefinitions(references: References): DefinitionReader {
  const problems = new Problems();
  const wanted = new WantedRecords();
  const context = { references, wanted, problems };
  const reader: DefinitionReader = {
    wanted,
    read(body, path) {
      const { condition = {}, actions = [] } = reader.readParts({ actions: undefined, ...body }, path);
      return { condition, actions };
    },
    readParts(body, path, previous) {
      const parts: Partial<Definition> = {};
      if ('condition' in body) {
        const known = previous === undefined ? {} : { previous: previous.condition };
        parts.condition = parseCondition(body.condition, `${path}condition`, { ...context, ...known });
      }
      if ('actions' in body) {
        const known = previous === undefined ? {} : { previous: previous.actions };
        parts.actions = parseActions(body.actions, `${path}actions`, { ...context, ...known });
      }
      return parts;
    },
    refuseProblems() {
      const [first] = problems.list;
      if (!first) return;
      const details = problems.list.map(({ path, message }) => ({ path, message }));
      throw new AppError(first.code, `${first.path}: ${first.message}.`, { details });
    },
  };
  return reader;
}

/** Creates the records that actions of rules name and that do not exist (contract 40.3). Answers id by placeholder. */
export async function createWanted(tx: WriteTx, wanted: WantedRecords): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { placeholder, kind, name, seriesType } of wanted.list) {
    ids.set(placeholder, await createRecord(tx, kind, name, seriesType));
  }
  return ids;
}

async function createRecord(
  tx: WriteTx,
  kind: 'tag' | 'series' | 'counterparty',
  name: string,
  seriesType: string | null,
): Promise<string> {
  switch (kind) {
    case 'tag': {
      if (!isTagSlug(name)) throw new Error('A tag to be created has no slug.');
      return (await makeTag(tx, { slug: name, name: nameOfSlug(name) })).id;
    }
    case 'series': {
      const type = (seriesType ?? 'subscription') as 'subscription' | 'bill' | 'loan' | 'other';
      return (await makeSeries(tx, { name, type })).id;
    }
    case 'counterparty':
      return (await makeCounterparty(tx, { name })).id;
    default:
      return kind satisfies never;
  }
}
