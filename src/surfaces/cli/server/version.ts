import type { Command } from 'commander';

import { VERSION } from '../../../kernel/config.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON, with schema version, runtime and platform')
    .action(async ({ json }: { json?: boolean }) => {
      process.stdout.write(`${json === true ? JSON.stringify(await versions(), null, 2) : VERSION}\n`);
    });
}

/** The schema version is the newest that this program knows; a start brings the database up to it. */
async function versions(): Promise<Readonly<Record<string, string | number>>> {
  const { programVersion } = await import('../../../app.ts');
  return {
    version: VERSION,
    schema_version: programVersion(),
    runtime: `node ${process.versions.node}`,
    platform: `${process.platform}-${process.arch}`,
  };
}
