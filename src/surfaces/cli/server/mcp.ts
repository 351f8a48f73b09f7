import { Option, type Command } from 'commander';

import { processEnvironment } from '../../../kernel/config.ts';
import { SCOPES, type KeyScope } from '../../../kernel/scopes.ts';
import { UsageError } from '../exit.ts';
import { chooseHost } from '../hosts.ts';
import { withLocalApp } from './local-app.ts';

interface Flags {
  host?: string | true;
  scope?: KeyScope;
  name?: string;
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve an agent over standard input and output (MCP), from this installation or through a running server',
    )
    .option('--host [name]', 'pass everything on to this host in hosts.toml, with the rights of its key')
    .addOption(
      new Option(
        '--scope <scope>',
        'the most that the agent may do; by default read_only, or what its key allows',
      ).choices(SCOPES),
    )
    .option('--name <text>', "the agent's name in the history if it has no key; by default the client's name")
    .action((flags: Flags) => (flags.host === undefined ? serveHere(flags) : serveHost(flags)));
}

async function serveHere({ scope, name }: Flags): Promise<void> {
  const key = processEnvironment()['HOMELEDGER_API_KEY'] || undefined;
  if (key !== undefined && name !== undefined) {
    throw new UsageError(
      '--name is only for agents without a key; with HOMELEDGER_API_KEY the name of the key is used.',
    );
  }
  await withLocalApp(async (app) => {
    const { serveLocalAgents } = await import('../../mcp/local-agents.ts');
    await serveLocalAgents(app, { scope, name, key });
  });
}

async function serveHost({ host, scope, name }: Flags): Promise<void> {
  if (scope !== undefined || name !== undefined) {
    throw new UsageError("--scope and --name cannot be used with --host: the host's key determines both.");
  }
  const remote = await chooseHost(host === true ? undefined : host);
  const [{ bridgeTo, checkRemoteKey }, { serveOverStdio }] = await Promise.all([
    import('../../mcp/bridge.ts'),
    import('../../mcp/serve-stdio.ts'),
  ]);
  await checkRemoteKey(remote);
  await serveOverStdio(() => bridgeTo(remote));
}
