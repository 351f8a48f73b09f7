import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { base64, importFile, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guides/moving-in.md', import.meta.url), 'utf8');

/** What the guide says about an app: its file, the fields of the command, and the transactions. */
interface Section {
  readonly app: string;
  readonly file: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly rows: readonly string[];
}

const SECTIONS: readonly Section[] = GUIDE.split('\n## ').flatMap((text) => {
  const [, file] = /```csv\n([^]*?)```/.exec(text) ?? [];
  const [, command = ''] = /```sh\n(curl[^]*?)```/.exec(text) ?? [];
  if (file === undefined) return [];
  const fields = [...command.matchAll(/-F (\w+)=(\S+)/g)].map(([, name, value]) => [name, value] as const);
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Account'));
  return [
    {
      app: text.split('\n')[0] ?? '',
      file,
      fields: Object.fromEntries(fields.filter(([name]) => name !== 'file')),
      rows: rows.map((line) => line.slice(2, -2)),
    },
  ];
});

forEachDatabase((database) => {
  test.each(SECTIONS.filter(({ rows }) => rows.length > 0).map((one) => [one.app, one] as const))(
    'the export of %s is read as the guide says, twice, and taken back',
    async (_, { file, fields, rows }) => {
      const app = await openHousehold(database);
      const done = await sendBytes(app, file, fields);
      expect(done.status, done.text).toBe(201);
      expect(done.json.warnings).toEqual([]);
      const found = await rowsOf(
        app.app.instance.database,
        `select a.name as account, t.date, t.name, t.amount_cents as cents from transactions t
         join accounts a on a.id = t.account_id order by a.name, t.date, t.id`,
      );
      const shown = found.map((one) =>
        [one['account'], one['date'], one['name'], (Number(one['cents']) / 100).toFixed(2)].join(' | '),
      );
      expect(shown).toEqual(rows);
      expect((await sendBytes(app, file, fields)).json).toMatchObject({ change_set_id: null, counts: { added: 0 } });
      const undone = await app.request('POST', `/api/v1/imports/${done.json.id}/revert`, { body: {} });
      expect(undone.json.deleted_count).toBe(rows.length);
    },
  );

  test('the export of Firefly III is refused through every door, and nothing is written', async () => {
    const app = await openHousehold(database);
    const { file } = SECTIONS.find((one) => one.app === 'Firefly III') as Section;
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const more of [{}, { dry_run: true }, { account_name: 'Checking' }]) {
      for (const answer of [
        await sendBytes(app, file, more),
        await importFile(app, file, more),
        await app.request('POST', '/api/v1/connections', {
          body: { provider: 'csv', credentials: { csv_base64: base64(file), ...more } },
        }),
      ]) {
        expect([answer.status, answer.json.error.code]).toEqual([422, 'INVALID_FILE']);
        expect(answer.json.error.message).toContain('Firefly III');
      }
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });
});
