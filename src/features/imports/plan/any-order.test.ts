import fc from 'fast-check';
import { expect, test } from 'vitest';

import { importFile, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

/** Files of a household whose accounts are at one bank or at several, sent in any order with everything left out. */

const HEADERS = ['Date,Description,Amount,Currency', 'Date,Details,Amount,Currency', 'Day,Memo,Value,Currency'];
const MONTHS = ['01', '02', '03'];
const RUNS = 4;
const TRIES = 4;

interface Household {
  members: number;
  /** Of each account: whose it is, and the header of its files. */
  accounts: { member: number; header: number; rows: number[] }[];
  /** Places in the list of all files, some more than once. */
  order: number[];
}

const anyHousehold: fc.Arbitrary<Household> = fc.record({
  members: fc.integer({ min: 1, max: 3 }),
  accounts: fc.array(
    fc.record({
      member: fc.nat(2),
      header: fc.nat(HEADERS.length - 1),
      rows: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: MONTHS.length, maxLength: MONTHS.length }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  order: fc.array(fc.nat(20), { minLength: 6, maxLength: 10 }),
});

interface BankFile {
  account: number;
  member: number;
  text: string;
  names: string[];
}

/** Amounts of one account are those of no other. */
function filesOf({ accounts, members }: Household): BankFile[] {
  return accounts.flatMap(({ member, header, rows }, account) =>
    MONTHS.map((month, at) => {
      const days = Array.from({ length: rows[at] as number }, (_, n) => n + 2);
      const names = days.map((day) => `A${account} M${month} D${day}`);
      const lines = days.map(
        (day, n) => `2026-${month}-0${day},${names[n] as string},-${account + 1}${day}.${10 + at},EUR`,
      );
      return { account, member: member % members, text: `${HEADERS[header] as string}\n${lines.join('\n')}\n`, names };
    }),
  );
}

forEachDatabase((database) => {
  /** What a person does who reads the question: names the account if it is offered, else makes it. */
  function answerTo({ status, json }: Answer, known: Made | undefined, account: number, owner: Made): Fields {
    const { code, details } = json.error;
    const [first] = details;
    expect([status, ['VALIDATION_ERROR', 'INVALID_PARAMETER']]).toEqual([400, expect.arrayContaining([code])]);
    if (first.path === 'user_id') {
      const line = details.find((one: { message: string }) => one.message.startsWith(owner.short_id));
      return { user_id: line.message.slice(0, 8) };
    }
    expect([first.path, details.some((one: { path: string }) => one.path === 'account_name')]).toEqual([
      'account_id',
      true,
    ]);
    const offered = details.find((one: { message: string }) => known && one.message.startsWith(known.short_id));
    return offered ? { account_id: known?.short_id } : { account_name: `Account ${account}`, user_id: owner.short_id };
  }

  /** Sends a file without anything, follows the advice of each refusal, and takes back what was assumed wrongly. */
  async function send(app: TestApp, file: BankFile, owner: Made, homes: Map<number, Made>): Promise<void> {
    let fields: Fields = {};
    for (let tries = 0; tries < TRIES; tries += 1) {
      app.clock.advance(1_000);
      const answer = await importFile(app, file.text, { ...fields, sign: 'positive_is_in' });
      if (answer.status !== 201) {
        fields = { ...fields, ...answerTo(answer, homes.get(file.account), file.account, owner) };
        continue;
      }
      const { id } = answer.json.import.accounts.map((one: { account_id: string }) => ({ id: one.account_id }))[0];
      const others = [...homes].filter(([account]) => account !== file.account).map(([, home]) => home.id);
      if (!others.includes(id)) {
        const [row] = await rowsOf(app.app.instance.database, `select id, short_id from accounts where id = '${id}'`);
        const home = homes.get(file.account);
        expect(home?.id ?? id).toBe(id);
        homes.set(file.account, row as unknown as Made);
        return;
      }
      const warnings = answer.json.import.warnings.map(({ code }: { code: string }) => code);
      expect(warnings).toContain('ACCOUNT_ASSUMED');
      const undone = await app.request('POST', `/api/v1/imports/${answer.json.import.id}/revert`);
      expect(undone.status).toBe(200);
      const home = homes.get(file.account);
      fields = home
        ? { account_id: home.short_id }
        : { account_name: `Account ${file.account}`, user_id: owner.short_id };
    }
    throw new Error('The advice of the refusals led nowhere.');
  }

  test('no row is doubled, none goes to another account silently, and the advice of every question works', async () => {
    await fc.assert(
      fc.asyncProperty(anyHousehold, async (household) => {
        const app = await database.open();
        const members: Made[] = [];
        for (let n = 0; n < household.members; n += 1) members.push(await addMember(app, `Member ${n}`));
        const files = filesOf(household);
        const sent = [...household.order, ...household.order.toReversed()].map(
          (at) => files[at % files.length] as BankFile,
        );
        const homes = new Map<number, Made>();
        for (const file of sent) await send(app, file, members[file.member] as Made, homes);
        const live = await rowsOf(
          app.app.instance.database,
          'select name, account_id from transactions where deleted_at is null order by name',
        );
        const expected = [...new Set(sent)].flatMap(({ names, account }) =>
          names.map((name) => ({ name, account_id: homes.get(account)?.id })),
        );
        const byName = (a: { name: unknown }, b: { name: unknown }): number =>
          String(a.name) < String(b.name) ? -1 : 1;
        expect(live.toSorted(byName as never)).toEqual(expected.toSorted(byName));
        await app.close();
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});
