import type { Command } from 'commander';

import { NewApiKey } from '../../../features/api-keys/api-keys.contract.ts';
import { makeKey, revokeKey, selectApiKeys, toApiKey } from '../../../features/api-keys/index.ts';
import { selectUsers } from '../../../features/users/index.ts';
import { shownText, UsageError } from '../exit.ts';
import { confirm } from './ask.ts';
import { withLocalApp, writeAsCli } from './local-app.ts';

interface CreateFlags {
  name: string;
  scope: string;
  user?: string;
  actorType?: string;
  actorName?: string;
  expiresAt?: string;
  json?: boolean;
}

/** Returns the command `keys`, for those about the encryption key. */
export function addKeysCommands(program: Command): Command {
  const keys = program
    .command('keys')
    .description('manage the API keys of this installation; works without a server or key');
  keys
    .command('create')
    .description('create a key and print it; it is never shown again')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scope <scope>', 'read_only, propose or full_access', 'read_only')
    .option('--user <id>', 'the household member it belongs to; by default the household')
    .option(
      '--actor-type <type>',
      'user, agent or system: how its writes are attributed; by default user, or agent with propose',
    )
    .option('--actor-name <name>', 'name shown in the history; by default that of the key')
    .option('--expires-at <instant>', 'when the key stops working')
    .option('--json', 'print the record with the key, as POST /api-keys returns it')
    .action((flags: CreateFlags) => create(flags));
  keys
    .command('list')
    .description('list keys, without the keys themselves')
    .option('--json', 'print JSON')
    .action((flags: { json?: boolean }) => list(flags.json === true));
  keys
    .command('revoke <id>')
    .description('revoke a key immediately')
    .option('--yes', 'do not ask for confirmation')
    .action((id: string, flags: { yes?: boolean }) => revoke(id, flags.yes === true));
  return keys;
}

async function create(flags: CreateFlags): Promise<void> {
  const wanted = NewApiKey.safeParse({
    name: flags.name,
    scope: flags.scope,
    ...(flags.actorType === undefined ? {} : { actor_type: flags.actorType }),
    actor_name: flags.actorName ?? null,
    expires_at: flags.expiresAt ?? null,
  });
  if (!wanted.success) {
    const [issue] = wanted.error.issues;
    throw new UsageError(
      `--${String(issue?.path[0] ?? 'name').replaceAll('_', '-')}: ${issue?.message ?? 'is not valid'}`,
    );
  }
  await withLocalApp(
    async (app) => {
      const made = await writeAsCli(app, 'api_key.create', async (tx) => {
        const owner = flags.user === undefined ? null : memberId(await selectUsers(tx), flags.user);
        return makeKey(app.instance, tx, { ...wanted.data, memberId: owner });
      });
      process.stdout.write(flags.json === true ? `${JSON.stringify(made, null, 2)}\n` : `${made.key}\n`);
    },
    { mayMakeDatabase: true },
  );
}

interface Member {
  id: string;
  short_id: string;
  name: string;
}

/** UUID of a member. @throws UsageError naming the members */
function memberId(members: readonly Member[], anyId: string): string {
  const member = members.find(({ id, short_id: shortId }) => id === anyId || shortId === anyId);
  if (member) return member.id;
  const known = members.map(({ short_id: id, name }) => `${id} (${shownText(name)})`).join(', ');
  const advice = known === '' ? 'The household has no members yet.' : `The members are ${known}.`;
  throw new UsageError(`--user: ${anyId} is not the id of a household member. ${advice}`);
}

async function list(asJson: boolean): Promise<void> {
  await withLocalApp(async (app) => {
    const records = (await app.instance.database.read(selectApiKeys)).map(toApiKey);
    if (asJson || !process.stdout.isTTY) {
      process.stdout.write(`${JSON.stringify(records, null, 2)}\n`);
      return;
    }
    if (records.length === 0) process.stderr.write('No API keys.\n');
    for (const key of records) process.stdout.write(`${listedKey(key)}\n`);
  });
}

/** A key as `keys list` shows it. Its name may come from a device, which nobody has checked. */
export function listedKey(key: ReturnType<typeof toApiKey>): string {
  const end = key.expires_at === null ? '' : `expires ${key.expires_at}`;
  const state = key.revoked_at === null ? end : `revoked ${key.revoked_at}`;
  return `${key.short_id}  ${key.prefix}…  ${key.scope.padEnd(11)}  ${shownText(key.name)}  ${state}`;
}

async function revoke(id: string, isConfirmed: boolean): Promise<void> {
  if (!isConfirmed && !(await confirm(`Revoke the key ${id}? [y/N] `))) {
    throw new UsageError('Nothing was revoked. To confirm, answer y or add --yes.');
  }
  await withLocalApp((app) => writeAsCli(app, 'api_key.revoke', (tx) => revokeKey(tx, id, { force: true })));
}
