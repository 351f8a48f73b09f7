import type { Command } from 'commander';

import type { App } from '../../../app.ts';
import { name as nameField } from '../../../contract/common.ts';
import { findPasswordFault } from '../../../features/auth/index.ts';
import type { NewAdmin } from '../../../features/setup/index.ts';
import { parseEmail } from '../../../kernel/credentials.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { UsageError } from '../exit.ts';
import { ask, askNewPassword, askUntilRight, canAsk, givenPassword, type PasswordFlags } from './ask.ts';

export interface AdminFlags extends PasswordFlags {
  name?: string;
  email?: string;
  nonInteractive?: boolean;
}

/** What is known of an admin before anybody is asked. */
export interface GivenAdmin {
  name: string | undefined;
  email: string | undefined;
  password: string | undefined;
}

const Name = nameField();
const NOT_AN_ADDRESS = 'must be a bare email address such as ana@home.example';

export function addPasswordFlags(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from a file');
}

export function addAdminFlags(command: Command): Command {
  return addPasswordFlags(
    command
      .option('--name <name>', 'name of the household member; by default the part of the address before the @')
      .option('--email <address>', 'the email address to sign in with; nothing is ever sent to it'),
  );
}

/** What the flags, and otherwise the environment, say. @throws UsageError if something is missing and nobody can be asked */
export async function readGivenAdmin(
  flags: AdminFlags,
  known: { email: string; password: string } | null,
): Promise<GivenAdmin> {
  const fromEnvironment = flags.email === undefined ? known : null;
  const email = flags.email === undefined ? known?.email : parseEmail(flags.email);
  if (flags.email !== undefined && email === undefined) throw new UsageError(`--email: ${NOT_AN_ADDRESS}`);
  const badName = nameFault(flags.name ?? '');
  if (badName !== undefined) throw new UsageError(`--name: ${badName}`);
  const password = (await givenPassword(flags)) ?? fromEnvironment?.password;
  const missing = [
    ...(email === undefined ? ['--email'] : []),
    ...(password === undefined ? ['--password-stdin or --password-file'] : []),
  ];
  if (missing.length > 0 && (flags.nonInteractive === true || !canAsk())) {
    throw new UsageError(`Without a terminal to prompt on, this command needs ${missing.join(' and ')}.`);
  }
  return { name: flags.name, email, password };
}

/** Asks for what is missing, and hashes the password: everything that must not happen in a transaction. */
export async function completeAdmin({ instance }: App, given: GivenAdmin): Promise<NewAdmin> {
  const email = given.email ?? parseEmail(await askUntilRight(() => ask('Email address: '), addressFault)) ?? '';
  const byDefault = email.split('@')[0] as string;
  const isAsked = given.name === undefined && given.email === undefined;
  const askName = (): Promise<string> => ask(`Name of the household member [${byDefault}]: `);
  const typed = isAsked ? await askUntilRight(askName, nameFault) : (given.name ?? '');
  const password = await choosePassword(given.password, email);
  const name = typed.trim() === '' ? byDefault : typed.trim();
  return { who: { name }, email, passwordHash: await instance.passwords.hash(password) };
}

/** The password given, or one that is asked for. @throws OperatorError for one that nobody should choose */
export async function choosePassword(given: string | undefined, identifier: string): Promise<string> {
  const faultOf = async (password: string): Promise<string | undefined> => {
    const fault = await findPasswordFault(password, identifier);
    return fault === undefined ? undefined : `The password ${fault}.`;
  };
  if (given === undefined) return askNewPassword(faultOf);
  const fault = await faultOf(given);
  if (fault !== undefined) throw new OperatorError(fault);
  return given;
}

/** What the API would refuse, too; a blank name stands for the one from the address. */
function nameFault(text: string): string | undefined {
  return text.trim() === '' ? undefined : faultOfName(text);
}

/** What is wrong with a name, in the words of the API. */
export function faultOfName(text: string): string | undefined {
  return Name.safeParse(text).error?.issues[0]?.message;
}

function addressFault(text: string): string | undefined {
  return parseEmail(text) === undefined ? `The email address ${NOT_AN_ADDRESS}.` : undefined;
}
