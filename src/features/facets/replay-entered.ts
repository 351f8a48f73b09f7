import type { EntityState, PlannedChange } from '../../journal/replay.ts';
import type { Change, WriteTx } from '../../journal/write.ts';
import { parseCents } from '../../kernel/money.ts';
import { effectKeeper, effectsOf } from './creation-effects.queries.ts';
import { insertEntered, type EnteredValues } from './entered-rows.ts';
import { isFacetField, keyOfField } from './facet-diffs.ts';
import { blankFacets, type CategorySource, type Editor, type FacetKey, type Facets } from './facets.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What no field of a planned row shows: which rule wrote which facet, by its key, and the locks that its calls set. */
export interface HiddenOfEntered {
  readonly ruleOf: Readonly<Record<string, string>>;
  readonly locks: readonly string[];
  readonly categoryRuleId: string | null;
  readonly linkId: string | null;
}

type Effect = Pick<Change, 'before' | 'after'> & { ruleId: string | null };

/** What rules did when the row was entered, as changes before those that were recorded later. */
export function effectsOnEntry({ hidden }: EntityState): Change[] {
  const effects = JSON.parse((hidden['effects'] as string | null) ?? '[]') as Effect[];
  return effects.map(({ ruleId, ...fields }) => ({ ...fields, ...(ruleId === null ? {} : { ruleId }) }) as Change);
}

/** How rows that a plan enters are written. */
export interface Entering {
  editor: Editor;
  /** Sources and locks are those that the calls of the plan left. */
  isAsPlanned: boolean;
  /** UUIDs of household members by short_id. */
  members: ReadonlyMap<string, string>;
}

/** Enters a planned row. What its calls chose is the choice of whoever writes it; what rules did stays theirs. */
export async function writeEntered(tx: WriteTx, change: PlannedChange, entering: Entering): Promise<void> {
  const { ruleOf } = change.hidden as unknown as HiddenOfEntered;
  const isByRule = (field: string): boolean => keyOfField(field) in ruleOf;
  const said = facetsOf(change, entering, (field) => !isByRule(field));
  const facets = facetsOf(change, entering, () => true);
  const edit = { before: said, after: facets, ruleOf: new Map(Object.entries(ruleOf)) };
  const effects = Object.keys(change.after ?? {}).some(isByRule) ? effectsOf(edit) : null;
  const effectsId = effects === null ? null : ((await effectKeeper(tx)([effects])).get(effects) ?? null);
  await insertEntered(tx, valuesOf(change.after ?? {}), facets, effectsId);
}

function valuesOf(after: Fields): EnteredValues {
  const { account_id, date, iso_currency_code, name, merchant_name } = after as unknown as EnteredValues;
  const cents = parseCents(String(after['amount']));
  if (cents === undefined) throw new Error('A planned transaction has no amount.');
  return { account_id, date, amount_cents: cents, iso_currency_code, name, merchant_name };
}

function facetsOf(change: PlannedChange, entering: Entering, isWanted: (field: string) => boolean): Facets {
  const { entityId, entityShortId, hidden } = change;
  const { categoryRuleId, linkId } = hidden as unknown as HiddenOfEntered;
  const after = Object.fromEntries(
    Object.entries(change.after ?? {}).filter(([field]) => isFacetField(field) && isWanted(field)),
  );
  const named = (prefix: string): [string, unknown][] =>
    Object.entries(after).flatMap(([field, value]) =>
      field.startsWith(prefix) ? [[field.slice(prefix.length), value]] : [],
    );
  const valueOf = (field: string): string | null => (after[field] as string | null | undefined) ?? null;
  const member = valueOf('attributed_user_id');
  const source = valueOf('category_source') as CategorySource | null;
  const facets: Facets = {
    ...blankFacets,
    id: entityId,
    shortId: entityShortId ?? '',
    categoryId: valueOf('category_id'),
    categorySource: source,
    categoryRuleId: source === 'rule' ? categoryRuleId : null,
    counterpartyId: valueOf('counterparty_id'),
    seriesId: valueOf('series_id'),
    attributedUserId: member === null ? null : (entering.members.get(member) ?? null),
    attributedByLinkId: member === null ? null : linkId,
    flaggedAt: valueOf('flagged_at'),
    tags: new Set(named('tag:').map(([slug]) => slug)),
    metadata: new Map(named('metadata.')),
  };
  return chosenBy(facets, change, entering);
}

/** With the locks that the plan set; of an approval, as the approver's own choice. */
function chosenBy(facets: Facets, { hidden }: PlannedChange, { editor, isAsPlanned }: Entering): Facets {
  const { ruleOf, locks: planned } = hidden as unknown as HiddenOfEntered;
  if (isAsPlanned) return { ...facets, locks: new Set(planned) };
  const isChosen = facets.categorySource === 'person' || facets.categorySource === 'agent';
  const own = chosenKeys(facets, isChosen).filter((key) => !(key in ruleOf));
  const locks = editor.locks ? new Set([...planned, ...own]) : blankFacets.locks;
  return { ...facets, locks, categorySource: isChosen ? editor.word : facets.categorySource };
}

/** The facets that have a value which a person or agent can have given them. */
function chosenKeys(facets: Facets, isCategoryChosen: boolean): FacetKey[] {
  const { counterpartyId, seriesId, flaggedAt, attributedUserId, attributedByLinkId, tags, metadata } = facets;
  return [
    ...(isCategoryChosen ? (['category'] as const) : []),
    ...(counterpartyId === null ? [] : (['counterparty'] as const)),
    ...(seriesId === null ? [] : (['series'] as const)),
    ...(flaggedAt === null ? [] : (['flag'] as const)),
    ...(attributedUserId === null || attributedByLinkId !== null ? [] : (['attribution'] as const)),
    ...[...tags].map((slug) => `tag:${slug}` as const),
    ...[...metadata.keys()].map((key) => `metadata.${key}` as const),
  ];
}
