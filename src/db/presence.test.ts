import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';

import { forEachEngine } from '../../test/harness/databases/engines.ts';
import { eventually } from '../../test/harness/eventually.ts';

const [ONE, TWO] = ['01981e00-0000-7000-8000-000000000001', '01981e00-0000-7000-8000-000000000002'];

forEachEngine((name, create) => {
  test('who runs is seen by others and by itself, and no more after its end', async () => {
    const at = await create();
    const [one, two, third] = [at.open(), at.open(), at.open()];
    await one.announceAlive(ONE);
    await two.announceAlive(TWO);
    for (const engine of [one, two, third]) {
      expect([await engine.isPresent(ONE), await engine.isPresent(TWO)]).toEqual([true, true]);
    }
    await one.close();
    await eventually(async () => expect(await third.isPresent(ONE)).toBe(false));
    expect([await two.isPresent(TWO), await third.isPresent(TWO)]).toEqual([true, true]);
    if (at.file !== undefined) {
      const left = readdirSync(dirname(at.file)).filter((file) => file.endsWith('.lock'));
      expect(left).toEqual([`running-${TWO}.lock`]);
    }
  });

  test('holds back nothing that the database would clean up', async () => {
    const at = await create();
    const [one, other] = [at.open(), at.open()];
    await one.announceAlive(ONE);
    // The embedded database has no sessions.
    if (name !== 'postgres') return;
    const held = `select backend_xmin is not null as "holdsBack" from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`;
    const sessions = await other.read((connection) => connection.executeQuery(CompiledQuery.raw(held)));
    expect(sessions.rows).toEqual([{ holdsBack: false }]);
  });

  test('is seen again soon after its connection broke', async () => {
    const at = await create();
    const [one, other] = [at.open(), at.open()];
    await one.announceAlive(ONE);
    if (name === 'postgres') {
      const others = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      await other.read((connection) => connection.execute(others));
      await eventually(async () => expect(await other.isPresent(ONE)).toBe(false));
    }
    await eventually(async () => expect(await other.isPresent(ONE)).toBe(true));
  });
});
