import fc from 'fast-check';
import { expect, test } from 'vitest';

import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const CATEGORIES = '/api/v1/categories';

const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('Tea', 'a\tb', 'a\\nb', 'שלום', '☕'),
  )
  .filter((text) => text.trim() !== '' && !text.includes('\0'));
const fields = fc.record(
  {
    name,
    /** Which top-level category is the parent, or none. */
    parent: fc.option(fc.nat({ max: 30 }), { nil: null }),
    kind: fc.constantFrom('income', 'expense', 'transfer'),
    icon: fc.constantFrom('coffee', 'a-1', null),
    color: fc.constantFrom('#A1b2C3', null),
    sort_order: fc.constantFrom(0, 1, 7, 1_000_000),
  },
  { requiredKeys: ['name'] },
);
const changes = fc.array(fc.record({ which: fc.nat({ max: 200 }), archived: fc.boolean(), fields }), { maxLength: 8 });

interface Category {
  id: string;
  parent_id: string | null;
}

/** Creates any tree that the endpoints accept. */
async function grow(app: TestApp, made: readonly Fields[], changed: readonly Changed[]): Promise<void> {
  const known = async (): Promise<Category[]> => (await app.request('GET', CATEGORIES)).json as Category[];
  const bodyOf = ({ parent, ...rest }: Fields, tops: readonly Category[]): object =>
    parent === undefined ? rest : { ...rest, parent_id: parent === null ? null : tops[parent % tops.length]?.id };
  for (const one of made) {
    const tops = (await known()).filter((category) => category.parent_id === null);
    const { status } = await app.request('POST', CATEGORIES, { body: bodyOf(one, tops) });
    expect([201, 400]).toContain(status);
  }
  for (const { which, archived, fields: wanted } of changed) {
    const all = await known();
    const tops = all.filter((category) => category.parent_id === null);
    const body = { ...bodyOf(wanted, tops), archived };
    const { status } = await app.request('PATCH', `${CATEGORIES}/${all[which % all.length]?.id}`, { body });
    expect([200, 400]).toContain(status);
  }
}
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;
type Changed = typeof changes extends fc.Arbitrary<(infer T)[]> ? T : never;

/** Lines in any order, because ties are ordered by ids, which differ between installations. */
async function exported(app: TestApp): Promise<string[]> {
  const { text } = await app.request('GET', `${CATEGORIES}/export`);
  return text.split('\n').toSorted((a, b) => (a < b ? -1 : 1));
}

forEachDatabase((database) => {
  test('any tree that can be created is exported whole, and can be imported elsewhere', async () => {
    const [app, other] = [await database.open(), await database.open()];
    const { text: untouched } = await app.request('GET', `${CATEGORIES}/export`);
    await fc.assert(
      fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 10 }), changes, async (made, changed) => {
        for (const one of [app, other]) {
          await one.request('POST', `${CATEGORIES}/import`, { body: { content: untouched, replace: true } });
          expect((await one.request('GET', `${CATEGORIES}/export`)).text).toBe(untouched);
        }
        await grow(app, made, changed);
        const content = (await app.request('GET', `${CATEGORIES}/export`)).text;
        const count = ((await app.request('GET', CATEGORIES)).json as Category[]).length;
        const before = await allRows(app.app.instance.database, ['api_key_uses']);
        const again = await app.request('POST', `${CATEGORIES}/import`, { body: { content } });
        expect(again.json, again.text).toMatchObject({ created: 0, updated: 0, unchanged: count, deleted: 0 });
        expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);

        await other.request('POST', CATEGORIES, { body: { name: 'Not in the file' } });
        const rehearsed = await other.request('POST', `${CATEGORIES}/import`, {
          body: { content, replace: true, dry_run: true },
        });
        const planted = await other.request('POST', `${CATEGORIES}/import`, { body: { content, replace: true } });
        expect(planted.status, planted.text).toBe(200);
        expect({ ...rehearsed.json, dry_run: false, change_set_id: planted.json.change_set_id }).toEqual(planted.json);
        expect(await exported(other)).toEqual(await exported(app));
      }),
      { numRuns: 8, seed: 20_260_426, endOnFailure: true },
    );
  });
});
