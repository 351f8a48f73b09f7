import { expect, test } from 'vitest';

import { make, propose } from '../harness/agents/proposals.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { locksOf, locksOfChanged, portraitOf, writtenByRules } from './plan-portrait.ts';
import { openWorld, playCalls } from './random-plans.ts';

/** `PLANS=1000 npx vitest run test/model/plans.test.ts` plays more of them; `PLANS_FROM` is the first seed. */
const PLANS = Number(process.env['PLANS'] ?? 12);
const FROM = Number(process.env['PLANS_FROM'] ?? 1);

forEachDatabase(
  (database) => {
    for (let seed = FROM; seed < FROM + PLANS; seed += 1) {
      test(`plan ${seed} does what its calls would have done, and is taken back`, async () => {
        const [direct, planned] = [await openWorld(await database.open()), await openWorld(await database.open())];
        const before = await portraitOf(planned);
        expect((await portraitOf(direct)).rows).toEqual(before.rows);
        const done = await playCalls(direct, seed, ({ operation, ...call }) => make(direct.app, operation, call));
        const { key } = await planned.app.newKey({ name: 'Reviewer', actor_type: 'agent' });
        let proposalId: string | undefined;
        const proposed = await playCalls(planned, seed, async (call) => {
          const result = await propose(planned.app, call.operation, {
            ...call,
            key,
            ...(proposalId === undefined ? {} : { proposalId }),
          });
          if (result.error === undefined) proposalId = result.proposal_id ?? undefined;
          return result;
        });
        expect(proposed).toEqual(done);
        expect((await portraitOf(planned)).rows).toEqual(before.rows);
        const wanted = await portraitOf(direct);
        if (proposalId === undefined) {
          expect(wanted.rows).toEqual(before.rows);
          return;
        }
        const shown = await planned.app.request('GET', `/api/v1/proposals/${proposalId}?conflicts_only=true`);
        expect([shown.json.conflict_count, shown.json.changes]).toEqual([0, []]);
        const approved = await planned.app.request('POST', `/api/v1/proposals/${proposalId}/approve`, { body: {} });
        expect([approved.status, approved.text.slice(0, 2_000)]).toEqual([200, expect.anything()]);
        const after = await portraitOf(planned);
        expect(after.rows).toEqual(wanted.rows);
        const byRules = await writtenByRules(direct);
        expect(locksOfChanged(before, after, byRules)).toEqual(locksOfChanged(before, wanted, byRules));
        const id = approved.json.change_set_id as string;
        const undone = await planned.app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });
        expect([undone.status, undone.json.skipped_count, undone.text.slice(0, 2_000)]).toEqual([
          200,
          0,
          expect.anything(),
        ]);
        const back = await portraitOf(planned);
        expect(back.rows).toEqual(before.rows);
        expect(locksOf(back)).toEqual(locksOf(before));
      }, 300_000);
    }
  },
  process.env['PLANS_ON'] === undefined ? undefined : [process.env['PLANS_ON'] as 'SQLite'],
);
