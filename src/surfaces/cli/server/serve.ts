import type { Command } from 'commander';

import { createApp, type App } from '../../../app.ts';
import { openFirstRun } from '../../../features/setup/index.ts';
import { processEnvironment, readConfig } from '../../../kernel/config.ts';
import { releaseMemory } from '../../../kernel/memory.ts';
import { addressOverrides } from '../../../kernel/provider-variables.ts';
import { buildForNextStart, whatRuns } from './build-for-next-start.ts';
import { onSameInstallation } from './same-installation.ts';
import { setupInvitation } from './setup-links.ts';
import { closeInTime, stopSignal } from './stopping.ts';

const MAKE_KEY = 'npm run -s homeledger -- keys create --name "My key" --scope full_access';
/** Long enough that the requests that a start provokes are answered before the garbage of the start, 8 MiB, is collected. */
const RELEASE_AFTER_MS = 1_000;

interface ServeFlags {
  port?: string;
  listen?: string;
  dashboard: boolean;
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the server')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--listen <address>', 'address to listen on (HOST)')
    .option('--no-dashboard', 'do not serve dashboard pages (HOMELEDGER_DASHBOARD=off)')
    .action((flags: ServeFlags) => serve(flags));
}

/** Boots, listens, and after SIGTERM or SIGINT returns when running requests are done (at most 30 s). */
async function serve(flags: ServeFlags): Promise<void> {
  const config = readConfig({
    ...processEnvironment(),
    ...(flags.port === undefined ? {} : { PORT: flags.port }),
    ...(flags.listen === undefined ? {} : { HOST: flags.listen }),
    ...(flags.dashboard ? {} : { HOMELEDGER_DASHBOARD: 'off' }),
  });
  const app = await createApp(config, { dashboard: { say: (line) => process.stderr.write(`${line}\n`) } });
  const stop = stopSignal();
  let address: string;
  try {
    address = await app.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
  const { instance } = app;
  const engine = instance.database.engineName === 'sqlite' ? 'embedded database' : 'PostgreSQL';
  const lines = [`Homeledger ${instance.version} listens on ${address} (${engine}).`];
  if (app.madeDatabase !== null) lines.push(`Created ${app.madeDatabase}.`);
  if (app.madeKeyFile !== null)
    lines.push(`Created the encryption key ${app.madeKeyFile}: keep a copy of it in a safe place.`);
  for (const { name, address } of addressOverrides(config.providers)) lines.push(`${name} is set to ${address}.`);
  process.stderr.write(`${lines.join('\n')}\n`);
  instance.logger.info(whatRuns());
  await inviteToSetUp(app, address).catch((error: unknown) => {
    instance.logger.warn(
      { err: error },
      'The setup link could not be created. If the household is not set up yet, restart Homeledger.',
    );
  });
  setTimeout(releaseMemory, RELEASE_AFTER_MS).unref();
  buildForNextStart();
  await stop.asked;
  instance.logger.info('Stopping after the running requests have finished.');
  await closeInTime(app, () => {
    instance.logger.error('Some requests were still running at the end of the grace period and were aborted.');
  });
}

/** In first run: the setup link on standard output, past the logger, and how to do without a browser. */
async function inviteToSetUp({ instance }: App, address: string): Promise<void> {
  const token = await openFirstRun(instance);
  if (token === null) return;
  const baseUrl = await instance.settings.baseUrl();
  const place = {
    baseUrl,
    host: instance.config.host,
    port: new URL(address).port || '80',
  };
  process.stdout.write(setupInvitation(place, token));
  const lines = [
    'Or create an API key, in another terminal:',
    `  ${onSameInstallation(MAKE_KEY, processEnvironment())}`,
    `Then look around: ${baseUrl ?? address}/docs`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
