import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { csvOf, importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { endedImport, endImport, startEndlessImport } from '../../../../test/harness/bank-files/import-queue.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { END_THREADS } from '../../../../test/harness/programs/mortal-thread.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

const FILE = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00');
const LATER = { headers: { prefer: 'respond-async' } };
const ENTRY = new URL('../../../../test/harness/programs/mortal-thread.ts', import.meta.url);

forEachDatabase((database) => {
  test(
    'an accepted import has failed as soon as its thread has died, and holds nobody up',
    { timeout: 60_000 },
    async () => {
      const app = await database.open({ workers: 2, threads: { entry: ENTRY }, expectsFailures: true });
      await addMember(app, 'Ana');
      const before = await startEndlessImport(app);
      const { json } = await importFile(app, FILE, { account_name: 'Card' }, LATER);
      expect(json.import.status).toBe('queued');
      const sign = join(app.app.instance.config.dataDir, END_THREADS);
      writeFileSync(sign, '');
      const ended = await endedImport(app, json.import.id);
      rmSync(sign);
      expect([ended.status, ended.error.code]).toEqual(['failed', 'UNAVAILABLE']);
      await endImport(app, before);
      const again = await importFile(app, FILE, { account_name: 'Card' });
      expect([again.status, again.json.import?.counts.added]).toEqual([201, 2]);
    },
  );
});
