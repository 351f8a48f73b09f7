import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { instantNow, systemClock } from '../../src/kernel/clock.ts';
import { eventually } from '../harness/eventually.ts';
import { addChannel, allowPrivateNetworks } from '../harness/servers/notifications.ts';
import { freePort } from '../harness/servers/free-port.ts';
import { fixedClock } from '../harness/fixed-clock.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guides/notifications.md');
const SECRET = 'the secret of the guide';

forEachDatabase(
  (database) => {
    test('the receiver of the guide takes what is signed with its secret, and nothing else', async () => {
      const app = await database.open({ clock: fixedClock(instantNow(systemClock)) });
      const code = /```js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8'))?.[1] as string;
      const file = join(app.env['HOMELEDGER_DATA_DIR'] as string, 'receiver.mjs');
      await writeFile(file, code);
      const port = await freePort();
      const receiver = spawn(process.execPath, [file], { env: { SECRET, PORT: String(port) } });
      onTestFinished(() => void receiver.kill());
      let said = '';
      receiver.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      await allowPrivateNetworks(app);
      const url = `http://127.0.0.1:${port}/`;
      const send = async (secret: string) => {
        const { id } = await addChannel(app, { url, secret });
        return (await app.request('POST', `/api/v1/notification-channels/${id}/test`)).json;
      };
      await eventually(async () => expect(await send(SECRET)).toMatchObject({ ok: true, status_code: 204 }));
      expect(await send('another secret than that')).toMatchObject({ ok: false, status_code: 401 });
      await eventually(() => expect(said).toBe('test Homeledger: test message\n'));
    });
  },
  ['SQLite'],
);
