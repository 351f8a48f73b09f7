import type { AnyOperation } from '../../src/contract/operation.ts';
import { tools } from '../../src/features/agent-tools/index.ts';
import { deleteCategory, mergeCategory } from '../../src/features/categories/categories.contract.ts';
import { deleteCounterparty, mergeCounterparties } from '../../src/features/counterparties/counterparties.contract.ts';
import { deleteSeries } from '../../src/features/series/series.contract.ts';
import { updateCategory } from '../../src/features/categories/categories.contract.ts';
import { COFFEE, GROCERIES } from '../harness/ledgers/batches.ts';
import { addRows } from '../harness/ledgers/linked-accounts.ts';
import { addAccount, addMember, type Made } from '../harness/ledger.ts';
import type { TestApp } from '../harness/test-app.ts';

/**
 * Random calls of agents. What a call names is found by what it is called, so that the same calls can be made in two
 * ledgers: in one as a plan, in the other for real.
 */

type Body = Readonly<Record<string, unknown>>;

export interface AgentCallWanted {
  operation: AnyOperation;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: Body;
}

/** A ledger, and the ids under which its agent knows what is called so. */
export interface PlannedWorld {
  app: TestApp;
  /** Ids of transactions, in any form. */
  rows: string[];
  accounts: readonly Made[];
  /** `series Rent` → id. */
  known: Map<string, string>;
}

/** Numbers from a seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  /** A few of them, each once. */
  some<T>(from: readonly T[], most: number): T[] {
    const rest = [...from];
    const taken = Math.min(1 + this.below(most), rest.length);
    return Array.from({ length: taken }, () => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}

const NAMES = ['Rent', 'Gym', 'Café', 'Water'] as const;
const CATEGORY_NAMES = ['Pets', 'Garden', 'Books'] as const;
/** Rules write other tags than people, whose locks a plan does not always keep. */
const TAGS = ['holiday', 'shared', 'work', 'needs-review'] as const;
const RULE_TAGS = ['rule-one', 'rule-two'] as const;
const DAYS = ['2026-04-01', '2026-04-02', '2026-04-03', '2026-04-05', '2026-04-09', '2026-04-20', '2026-04-24'];

const tool = (name: string): AnyOperation => {
  const found = tools.find(({ info }) => info.name === name);
  if (!found) throw new Error(`There is no tool ${name}.`);
  return found.operation;
};

/** A household with something of everything that a plan can change. */
export async function openWorld(app: TestApp): Promise<PlannedWorld> {
  const [ada, ben] = [await addMember(app, 'Ada'), await addMember(app, 'Ben')];
  const [card, copy, cash] = [
    await addAccount(app, ada, { name: 'Card' }),
    await addAccount(app, ben, { name: 'Copy' }),
    await addAccount(app, ada, { name: 'Cash' }),
  ];
  const shopping = DAYS.map((date, index) => [date, 1_000 + (index % 3), `Shop ${index % 4}`] as const);
  const rows = [
    ...(await addRows(app, card, shopping)),
    ...(await addRows(app, copy, shopping.slice(0, 5))),
    ...(await addRows(app, cash, shopping.slice(2))),
  ];
  const world: PlannedWorld = { app, rows, accounts: [card, copy, cash], known: new Map() };
  await addThings(world);
  return world;
}

async function addThings({ app, rows, accounts, known }: PlannedWorld): Promise<void> {
  const post = async (path: string, body: Body): Promise<Made> => {
    const { status, json, text } = await app.request('POST', `/api/v1${path}`, { body });
    if (status >= 300) throw new Error(text);
    return json as Made;
  };
  for (const [index, name] of NAMES.slice(0, 3).entries()) {
    const transaction_ids = rows.slice(index * 2, index * 2 + 2);
    known.set(`series ${name}`, (await post('/series', { name, transaction_ids })).id);
    const { id } = await post('/counterparties', { name });
    known.set(`counterparty ${name}`, id);
    await post(`/counterparties/${id}/transactions`, { transaction_ids: rows.slice(index * 3, index * 3 + 3) });
  }
  for (const slug of [...TAGS.slice(0, 3), ...RULE_TAGS.slice(0, 1)]) {
    await post('/tags', { slug, name: slug });
    for (const id of rows.slice(slug.length - 4, slug.length)) await post(`/transactions/${id}/tags`, { slug });
  }
  for (const name of CATEGORY_NAMES.slice(0, 2)) {
    const { id } = await post('/categories', { name });
    known.set(`category ${name}`, id);
    const child = await post('/categories', { name: 'Small', parent_id: id });
    known.set(`category ${name} › Small`, child.id);
    await app.request('PATCH', `/api/v1/transactions/${rows[name.length]}/category`, {
      body: { category_id: child.id },
    });
  }
  const actions = [{ type: 'add_tag', tag_slug: 'rule-one' }];
  const condition = { field: 'name', op: 'contains', value: 'shop 1' };
  known.set('rule first', (await post('/rules', { name: 'first', condition, actions })).id);
  const link = await post('/account-links', {
    primary_account_id: accounts[0]?.id,
    dependent_account_id: accounts[1]?.id,
  });
  known.set('link 0 1', link.id);
  const { matches } = (await app.request('GET', `/api/v1/account-links/${link.id}/matches?limit=500`)).json;
  const idOf = new Map(
    (matches as (Made & { primary_transaction_id: string })[]).map((match) => [match.primary_transaction_id, match.id]),
  );
  for (const [index, row] of rows.entries()) if (idOf.has(row)) known.set(`match ${index}`, idOf.get(row) as string);
}

/** What a call asks for, and under which names its result is known from then on. */
interface Wanted extends AgentCallWanted {
  learn?: (result: Record<string, unknown>) => [name: string, id: unknown][];
  /** Names that lead nowhere any more once the call has succeeded. */
  forget?: string;
}

type Move = (dice: Dice, world: PlannedWorld) => Wanted | null;

function namesOf({ known }: PlannedWorld, kind: string): string[] {
  return [...known.keys()].filter((name) => name.startsWith(`${kind} `));
}

/** Something of this kind that the agent knows, by its name. */
function one(dice: Dice, world: PlannedWorld, kind: string): { name: string; id: string } | null {
  const names = namesOf(world, kind);
  if (names.length === 0) return null;
  const name = dice.pick(names);
  return { name, id: world.known.get(name) as string };
}

const anyRow = (dice: Dice, { rows }: PlannedWorld): string => dice.pick(rows);

function edit(dice: Dice, world: PlannedWorld): Body {
  const kinds: (() => Body)[] = [
    () => ({ category_slug: dice.pick([COFFEE, GROCERIES, 'travel']) }),
    () => ({ category_id: one(dice, world, 'category')?.id ?? null }),
    () => ({ category_id: null }),
    () => ({ tags_to_add: dice.some(TAGS, 2) }),
    () => ({ tags_to_add: [dice.pick(RULE_TAGS)] }),
    () => ({ tags_to_remove: dice.some(TAGS, 2) }),
    () => ({ series_id: dice.chance(3) ? null : (one(dice, world, 'series')?.id ?? null) }),
    () => ({ counterparty_id: dice.chance(3) ? null : (one(dice, world, 'counterparty')?.id ?? null) }),
    () => ({ metadata_set: { [dice.pick(['a', 'b'])]: dice.below(3) } }),
    () => ({ metadata_unset: [dice.pick(['a', 'b'])] }),
    () => ({ flagged: dice.chance(2) }),
    () => ({ comment: `Note ${dice.below(4)}` }),
    () => ({ reset_category: true }),
  ];
  return { transaction_id: anyRow(dice, world), ...dice.pick(kinds)() };
}

const onRows: Record<string, Move> = {
  update(dice, world) {
    const operations = Array.from({ length: 1 + dice.below(4) }, () => edit(dice, world));
    return {
      operation: tool('update_transactions'),
      body: { operations, on_error: dice.pick(['abort', 'continue']) },
    };
  },
  add(dice, { accounts, rows }) {
    // An amount of their own: account links would pair equal ones at once, but those of a plan when it is approved.
    const cents = 50_000 + (lastAdded += 1);
    const made = Array.from({ length: 1 + dice.below(3) }, () => ({
      account_id: accounts[dice.below(3)]?.id,
      date: dice.pick(DAYS),
      amount: (cents / 100).toFixed(2),
      name: `Shop ${dice.below(4)}`,
      ...(dice.chance(3) ? { category_slug: dice.pick([COFFEE, 'travel']) } : {}),
      ...(dice.chance(3) ? { tags: dice.some([...TAGS, ...RULE_TAGS], 2) } : {}),
      ...(dice.chance(3) ? { comment: `Note ${dice.below(4)}` } : {}),
    }));
    return {
      operation: tool('add_transactions'),
      body: { transactions: made },
      learn: ({ transactions }) => {
        rows.push(...(transactions as Made[]).map(({ id }) => id));
        return [];
      },
    };
  },
  recategorize: (dice) => ({
    operation: tool('bulk_recategorize'),
    body: {
      target_category_id: dice.pick([COFFEE, 'automatic']),
      filter: { search: `Shop ${dice.below(4)}` },
      dry_run: false,
      expected_count: dice.pick([4, 5, 6]),
      overwrite_manual: true,
    },
  }),
};

const onTags: Record<string, Move> = {
  saveTag: (dice) => ({
    operation: tool('save_tag'),
    body: { slug: dice.pick([...TAGS, ...RULE_TAGS]), name: dice.pick(['One', 'Two']), color: '#112233' },
  }),
  deleteTag: (dice) => ({ operation: tool('delete_tag'), body: { slug: dice.pick([...TAGS, ...RULE_TAGS]) } }),
};

const named =
  (kind: string, key: string) =>
  (result: Record<string, unknown>): [string, unknown][] => {
    const record = result[key] as { id?: unknown; name?: unknown } | undefined;
    return record === undefined ? [] : [[`${kind} ${String(record.name)}`, record.id]];
  };

const onCategories: Record<string, Move> = {
  makeCategory(dice, world) {
    const parent = dice.chance(2) ? one(dice, world, 'category') : null;
    const name = dice.pick(CATEGORY_NAMES);
    return {
      operation: tool('save_category'),
      body: { name, ...(parent ? { parent_id: parent.id } : {}) },
      learn: ({ category }) => {
        const { id } = category as { id: string };
        return [[parent ? `${parent.name} › ${name}` : `category ${name}`, id]];
      },
    };
  },
  changeCategory(dice, world) {
    const target = one(dice, world, 'category');
    if (!target) return null;
    const parent = one(dice, world, 'category');
    const change = dice.pick([
      { name: dice.pick(CATEGORY_NAMES) },
      { icon: `icon-${dice.below(3)}` },
      { archived: dice.chance(2) },
      { parent_id: dice.chance(2) ? null : (parent?.id ?? null) },
    ]);
    return { operation: tool('save_category'), body: { category_id: target.id, ...change } };
  },
  deleteCategory(dice, world) {
    const target = one(dice, world, 'category');
    if (!target) return null;
    const query = { reassign_to: dice.chance(2) ? 'none' : (one(dice, world, 'category')?.id ?? 'travel') };
    return { operation: deleteCategory, params: { id: target.id }, query, forget: target.name };
  },
  mergeCategory(dice, world) {
    const [into, from] = [one(dice, world, 'category'), one(dice, world, 'category')];
    if (!into || !from) return null;
    return { operation: mergeCategory, params: { id: into.id }, body: { from_category_id: from.id } };
  },
  archiveBuiltIn: (dice) => ({
    operation: updateCategory,
    params: { id: dice.pick([COFFEE, 'travel']) },
    body: { archived: dice.chance(3) },
  }),
};

const RECORDS = {
  series: { save: 'save_series', remove: deleteSeries },
  counterparty: { save: 'save_counterparty', remove: deleteCounterparty },
} as const;

function onRecord(kind: keyof typeof RECORDS): Record<string, Move> {
  const { save, remove } = RECORDS[kind];
  return {
    [`${kind} make`]: (dice, world) => ({
      operation: tool(save),
      body: {
        name: dice.pick(NAMES),
        ...(dice.chance(2) ? { add_transaction_ids: dice.some(world.rows, 3) } : {}),
        ...(dice.chance(3) ? { remove_transaction_ids: [anyRow(dice, world)] } : {}),
      },
      learn: named(kind, kind),
    }),
    [`${kind} rename`](dice, world) {
      const target = one(dice, world, kind);
      if (!target) return null;
      const body = { [`${kind}_id`]: target.id, new_name: dice.pick([...NAMES, 'Spare']) };
      return { operation: tool(save), body, learn: named(kind, kind), forget: target.name };
    },
    [`${kind} change`](dice, world) {
      const target = one(dice, world, kind);
      if (!target) return null;
      const category = one(dice, world, 'category');
      const change =
        kind === 'series' ? { type: dice.pick(['bill', 'loan']) } : { category_id: category?.id ?? null, mcc: '5814' };
      return { operation: tool(save), body: { [`${kind}_id`]: target.id, ...change } };
    },
    [`${kind} delete`](dice, world) {
      const target = one(dice, world, kind);
      if (!target) return null;
      const query = kind === 'series' ? { unlink: 'true' } : {};
      return { operation: remove, params: { id: target.id }, query, forget: target.name };
    },
  };
}

const onCounterparties: Record<string, Move> = {
  mergeCounterparties(dice, world) {
    const [into, from] = [one(dice, world, 'counterparty'), one(dice, world, 'counterparty')];
    if (!into || !from) return null;
    return { operation: mergeCounterparties, params: { id: into.id }, body: { from_counterparty_id: from.id } };
  },
};

function condition(dice: Dice, world: PlannedWorld): Body {
  const series = one(dice, world, 'series');
  return dice.pick<Body>([
    { field: 'name', op: 'contains', value: `shop ${dice.below(4)}` },
    { field: 'amount', op: 'gt', value: '10.00' },
    ...(series ? [{ field: 'series', op: 'eq', value: series.id }] : []),
  ]);
}

function actions(dice: Dice, world: PlannedWorld): Body[] {
  const category = one(dice, world, 'category');
  return dice.some<Body>(
    [
      { type: 'add_tag', tag_slug: dice.pick(RULE_TAGS) },
      { type: 'set_metadata', metadata_key: 'r', metadata_value: dice.below(2) },
      { type: 'set_category', category_slug: COFFEE },
      ...(category ? [{ type: 'set_category', category_id: category.id }] : []),
      { type: 'add_comment', content: 'By rule' },
      { type: 'assign_series', series_name: dice.pick(NAMES), create_if_missing: true },
    ].filter(({ type }, index, all) => all.findIndex((other) => other.type === type) === index),
    2,
  );
}

let lastRule = 0;
let lastAdded = 0;

const onRules: Record<string, Move> = {
  makeRule(dice, world) {
    const name = `r${(lastRule += 1)}`;
    const rule = { name, condition: condition(dice, world), actions: actions(dice, world), overwrite_manual: true };
    return {
      operation: tool('create_rules'),
      body: { rules: [rule] },
      learn: ({ rules }) => [[`rule ${name}`, (rules as Made[])[0]?.id]],
    };
  },
  changeRule(dice, world) {
    const target = one(dice, world, 'rule');
    if (!target) return null;
    const change = dice.pick<Body>([
      { enabled: dice.chance(2) },
      { priority: dice.below(200) },
      { actions: actions(dice, world) },
    ]);
    return { operation: tool('update_rule'), body: { rule_id: target.id, ...change } };
  },
  deleteRule(dice, world) {
    const target = one(dice, world, 'rule');
    return target && { operation: tool('delete_rule'), body: { rule_id: target.id } };
  },
  applyRules(dice, world) {
    const target = one(dice, world, 'rule');
    return {
      operation: tool('apply_rules'),
      body: { ...(target && dice.chance(2) ? { rule_id: target.id } : {}), dry_run: false, overwrite_manual: true },
    };
  },
};

const onLinks: Record<string, Move> = {
  reviewMatch(dice, world) {
    const target = one(dice, world, 'match');
    const decision = dice.pick(['confirm', 'reject']);
    return target && { operation: tool('review_match'), body: { match_id: target.id, decision } };
  },
  makeLink(dice, { accounts }) {
    const [primary, dependent] = [dice.below(3), dice.below(3)];
    const body = { primary_account_id: accounts[primary]?.id, dependent_account_id: accounts[dependent]?.id };
    return {
      operation: tool('create_account_link'),
      body: { ...body, match_tolerance_days: dice.below(3) },
      learn: ({ link }) => [[`link ${primary} ${dependent}`, (link as Made).id]],
    };
  },
  deleteLink(dice, world) {
    const target = one(dice, world, 'link');
    return target && { operation: tool('delete_account_link'), body: { link_id: target.id } };
  },
  reconcileLink(dice, world) {
    const target = one(dice, world, 'link');
    return target && { operation: tool('reconcile_account_link'), body: { link_id: target.id } };
  },
};

/** Each as often as it stands here. */
const MOVES: readonly Move[] = [
  ...Object.values(onRows),
  ...Object.values(onRows),
  ...Object.values(onRows),
  ...Object.values(onTags),
  ...Object.values(onTags),
  ...Object.values(onCategories),
  ...Object.values(onRecord('series')),
  ...Object.values(onRecord('counterparty')),
  ...Object.values(onCounterparties),
  ...Object.values(onRules),
  ...Object.values(onLinks),
];

/** Plays the same random calls in a world: `make` makes one and answers its result, which has `error` if it failed. */
export async function playCalls(
  world: PlannedWorld,
  seed: number,
  make: (call: AgentCallWanted) => Promise<Record<string, unknown>>,
): Promise<string[]> {
  const dice = new Dice(seed);
  const count = 2 + dice.below(69);
  const said: string[] = [];
  lastRule = 0;
  lastAdded = 0;
  for (let index = 0; index < count; index += 1) {
    const wanted = dice.pick(MOVES)(dice, world);
    if (wanted === null) continue;
    const { learn, forget, ...call } = wanted;
    const result = await make(call);
    said.push(
      `${index} ${call.operation.name} ${result['error'] === undefined ? 'ok' : JSON.stringify(result['error'])}`,
    );
    if (result['error'] !== undefined) continue;
    if (forget !== undefined) world.known.delete(forget);
    for (const [name, id] of learn?.(result) ?? []) if (typeof id === 'string') world.known.set(name, id);
  }
  return said;
}
