import { createApp } from '../../src/app.ts';
import { makeKey } from '../../src/features/api-keys/index.ts';
import { write } from '../../src/journal/write.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { createLogger } from '../../src/kernel/logger.ts';

/** The longest time that the listening thread was busy with one thing since it was last asked. */
export interface Held {
  /** Time of the processor: what other programs on the machine do is not in it. */
  cpuMs: number;
  wallMs: number;
}

/** What the server reports once it listens. */
export interface Started {
  address: string;
  key: string;
}

const TICK_MS = 1;
const CLI = { type: 'system', id: null, userId: null, name: 'cli' } as const;

/** A real server in a process of its own. Any message asks for what was held since the last one. */
if (process.send) await serve(process.send.bind(process));

async function serve(send: (message: Started | Held) => void): Promise<void> {
  const logger = await createLogger({ level: 'silent', format: 'json' });
  const app = await createApp(readConfig(process.env), { logger });
  const origin = { actor: CLI, surface: 'cli', source: 'edit', action: 'api_key.create', reason: null } as const;
  const wanted = {
    name: 'Test',
    scope: 'full_access',
    actor_type: 'user',
    actor_name: null,
    expires_at: null,
  } as const;
  const { value } = await write(app.instance.database, { ...origin, requestId: null }, (tx) =>
    makeKey(app.instance, tx, wanted),
  );
  const address = await app.listen();
  let held: Held = { cpuMs: 0, wallMs: 0 };
  let last = { cpuMs: cpuMs(), wallMs: performance.now() };
  setInterval(() => {
    const now = { cpuMs: cpuMs(), wallMs: performance.now() };
    held = {
      cpuMs: Math.max(held.cpuMs, now.cpuMs - last.cpuMs),
      wallMs: Math.max(held.wallMs, now.wallMs - last.wallMs),
    };
    last = now;
  }, TICK_MS);
  process.on('message', () => {
    send(held);
    held = { cpuMs: 0, wallMs: 0 };
  });
  process.on('disconnect', () => process.exit(0));
  send({ address, key: value.key });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
