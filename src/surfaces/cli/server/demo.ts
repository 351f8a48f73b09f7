import type { Command } from 'commander';

export function addDemoCommand(program: Command): void {
  program.command('demo').description('a server on a made-up household');
}
