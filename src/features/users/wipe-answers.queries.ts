import { sql } from 'kysely';

import type { BareWriteTx } from '../../db/unit-of-work.ts';
import type { Wipe } from './wipe-scope.queries.ts';

/**
 * Drops the stored answers that may quote erased rows. Answers to other writes stay, because dropping one would let a
 * retry do its write twice; those without a change set wrote nothing, or an import or run that finds its own work.
 */
export async function dropAnswersAbout(tx: BareWriteTx, wipe: Wipe): Promise<void> {
  const changeSets = new Set(wipe.changeSetIds);
  const profiles = wipe.profileSlugs.map((slug) => `"source":"stored","slug":"${slug}"`);
  const names = [...wipe.accounts.flatMap(({ id, short_id }) => [id, short_id]), ...profiles];
  const answers = tx.q
    .selectFrom('idempotent_answers')
    .select(['principal_id', 'key', 'headers', 'body'])
    .where('state', '=', 'done');
  const dropped: { principal: string; key: string }[] = [];
  for await (const { principal_id: principal, key, headers, body } of tx.iterate(answers.compile())) {
    const changeSetId = (JSON.parse(headers ?? '{}') as Record<string, string>)['x-change-set-id'];
    const isAbout =
      changeSetId === undefined || changeSets.has(changeSetId) || names.some((one) => body?.includes(one));
    if (isAbout) dropped.push({ principal, key });
  }
  for (const { principal, key } of dropped) {
    await sql`delete from idempotent_answers where principal_id = ${principal} and key = ${key}`.execute(tx.q);
  }
}
