import { Option, type Command } from 'commander';

import { processEnvironment } from '../../../kernel/config.ts';
import { UsageError } from '../exit.ts';
import { chooseHost } from '../hosts.ts';
import { withLocalApp } from './local-app.ts';

interface Flags {
  host?: string | true;
  scope?: 'read_only' | 'propose' | 'full_access';
  name?: string;
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('let an agent use this installation, or a running server, over standard input and output (MCP)')
    .option('--host [name]', 'pass everything on to this host of hosts.toml, with the rights of its key')
    .addOption(
      new Option('--scope <scope>', 'what the agent may do at most; by default read_only, or what its key may').choices(
        ['read_only', 'propose', 'full_access'],
      ),
    )
    .option('--name <text>', "the agent's name in the history, without a key; by default that of the client")
    .action((flags: Flags) => (flags.host === undefined ? serveHere(flags) : serveHost(flags)));
}

async function serveHere({ scope, name }: Flags): Promise<void> {
  const key = processEnvironment()['HOMELEDGER_API_KEY'] || undefined;
  if (key !== undefined && name !== undefined) {
    throw new UsageError('--name is for agents without a key; with HOMELEDGER_API_KEY the key has a name.');
  }
  await withLocalApp(async (app) => {
    const { serveLocalAgents } = await import('../../mcp/local-agents.ts');
    await serveLocalAgents(app, { scope, name, key });
  });
}

async function serveHost({ host, scope, name }: Flags): Promise<void> {
  if (scope !== undefined || name !== undefined) {
    throw new UsageError('--scope and --name cannot be used with --host: rights and name are those of its key.');
  }
  const remote = await chooseHost(host === true ? undefined : host);
  const [{ bridgeTo, checkRemoteKey }, { serveOverStdio }] = await Promise.all([
    import('../../mcp/bridge.ts'),
    import('../../mcp/serve-stdio.ts'),
  ]);
  await checkRemoteKey(remote);
  await serveOverStdio(() => bridgeTo(remote));
}
