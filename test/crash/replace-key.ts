import { flushCompileCache } from 'node:module';

import { createApp, type Overrides } from '../../src/app.ts';
import { resetMasterKey, rotateEncryption } from '../../src/features/encryption/index.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';

/** Rotates or gives up the encryption key, as the first argument says; dies on the way at the point named by the second. */
// A killed process keeps no compiled code for the next one unless it does so before.
flushCompileCache();
const [what, crashAt = ''] = process.argv.slice(2);
const loadKey: Overrides['loadKey'] = (parts) => resetMasterKey(parts, () => undefined);
const how = what === 'reset' ? { loadKey } : {};
const app = await createApp(readConfig(processEnvironment()), { workers: 0, exclusive: `${what}`, crashAt, ...how });
if (what === 'rotate') await rotateEncryption(app.instance, app.instance.random.bytes(32));
await app.close();
