import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { sendBytes, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { expectGolden } from '../../../../test/harness/golden.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { TEST_START, forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FIXTURES = join(ROOT, 'test/fixtures');
const FILES = ['camt', 'csv', 'mt940', 'ofx', 'qif'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder))
    .filter((name) => !name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);
const TODAY = '2026-11-21T12:00:00.000Z';
const WRITTEN = [
  'connections',
  'accounts',
  'transactions',
  'balance_snapshots',
  'account_aliases',
  'imports',
  'import_rows',
  'import_profiles',
  'change_sets',
];
/** Answers that a person is asked for at most; every bank file gets in by then. */
const ANSWERS_MAX = 4;

/** What a refusal says about how to go on: one field and a value for it. */
function answerTo(answer: Answer): [string, unknown] | null {
  const { code, candidates = [], balance_proof: proof } = answer.json.error;
  const [open] = candidates;
  if (open?.values?.length > 0) return [open.parameter, open.values[0].value];
  if (open !== undefined) return null;
  if (code === 'BALANCE_MISMATCH') {
    const [better] = proof.proves_with;
    return better ? [better.parameter, better.value] : ['accept_unproved', true];
  }
  // Some of the files are of one account, but here each belongs to another member.
  if (code === 'CONFLICT') return ['account_name', 'Own'];
  return code === 'INVALID_ROWS' ? ['skip_invalid', true] : null;
}

interface ReadOutcome {
  format: string | null;
  outcome: string;
  /** What had to be said, in the order in which it was asked. */
  asked: string[];
}

function outcomeOf({ status, json }: Answer): string {
  if (status !== 201) return `${json.error.code}: ${json.error.message}`;
  const { counts, balance_proof: proof, accounts, warnings } = json;
  const parts = Object.entries(counts as Record<string, number>)
    .filter(([name, count]) => name !== 'total' && count > 0)
    .map(([name, count]) => `${count} ${name}`);
  const codes = warnings.map((one: { code: string }) => one.code);
  const several = accounts.length > 1 ? ` in ${accounts.length} accounts` : '';
  return [`${parts.join(', ')}${several}`, `proof ${proof.status}`, ...codes].join('; ');
}

forEachDatabase((database) => {
  const told: Record<string, ReadOutcome> = {};
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
    app.clock.advance(Date.parse(TODAY) - Date.parse(TEST_START));
  });

  /** How many rows there are of everything that an import writes. */
  async function counted(): Promise<unknown> {
    const counts = WRITTEN.map((table) => `(select count(*) from ${table}) as ${table}`);
    return rowsOf(app.app.instance.database, `select ${counts.join(', ')}`);
  }

  /** Previews and imports a file with these fields; the two must tell the same. */
  async function take(file: string, fields: Fields): Promise<Answer> {
    const bytes = readFileSync(join(FIXTURES, file));
    const before = await counted();
    const preview = await sendBytes(app, bytes, { file_name: file, ...fields, dry_run: true });
    expect(await counted()).toEqual(before);
    const done = await sendBytes(app, bytes, { file_name: file, ...fields });
    if (done.status === 201) {
      expect(preview.json).toMatchObject({ dry_run: true, ready: true, blockers: [] });
      for (const field of ['counts', 'totals', 'first_date', 'last_date', 'format', 'mapping']) {
        expect(done.json[field]).toEqual(preview.json[field]);
      }
      return done;
    }
    expect([400, 409, 415, 422]).toContain(done.status);
    expect(await counted()).toEqual(before);
    const { code, message } = done.json.error;
    if (preview.status === 200) {
      expect(preview.json.ready).toBe(false);
      expect(preview.json.blockers[0]).toMatchObject({ code, message });
    } else expect(preview.json.error).toMatchObject({ code, message });
    return done;
  }

  test.each(FILES)('%s is imported, or refused for a reason that helps', async (file) => {
    const owner = await addMember(app, file);
    const fields: Record<string, unknown> = { user_id: owner.id };
    const asked: string[] = [];
    let done = await take(file, fields);
    for (let step = 0; done.status !== 201 && step < ANSWERS_MAX; step++) {
      const answer = answerTo(done);
      if (!answer || answer[0] in fields) break;
      asked.push(`${done.json.error.code} → ${answer[0]}: ${String(answer[1])}`);
      fields[answer[0]] = answer[1];
      done = await take(file, fields);
    }
    told[file] = { format: done.status === 201 ? done.json.format : null, outcome: outcomeOf(done), asked };
    if (done.status !== 201) return;

    const again = await sendBytes(app, readFileSync(join(FIXTURES, file)), { file_name: file, ...fields });
    expect([again.status, again.json.counts.added, again.json.counts.updated]).toEqual([201, 0, 0]);
    expect(again.json.counts.duplicate).toBe(done.json.counts.added);
    expect(again.json.change_set_id).toBeNull();
    const accounts = await app.request('GET', '/api/v1/accounts', { query: { user_id: owner.short_id } });
    expect(accounts.json).toHaveLength(done.json.accounts.length);
  });

  test('every bank file gives the result in the golden table', () => {
    expect(Object.keys(told).sort()).toEqual([...FILES].sort());
    const sorted = Object.fromEntries(FILES.toSorted().map((file) => [file, told[file]]));
    expectGolden('imports.json', sorted);
  });
});
