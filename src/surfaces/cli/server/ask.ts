import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { OperatorError } from '../../../kernel/errors.ts';
import { Interrupted } from '../exit.ts';

/** Whether somebody is there to answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks on a terminal. A hidden answer is not echoed. @throws Interrupted by Ctrl-C */
export async function ask(question: string, { isHidden = false }: { isHidden?: boolean } = {}): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: isHidden ? nowhere : process.stderr,
    terminal: true,
  });
  // What follows begins a line of its own, also after an answer that was not echoed or never came.
  let isLineOpen = true;
  try {
    if (isHidden) process.stderr.write(question);
    return await new Promise<string>((resolve, reject) => {
      terminal.once('SIGINT', () => reject(new Interrupted()));
      terminal.once('close', () => reject(new Interrupted()));
      terminal.question(isHidden ? '' : question).then((answer) => {
        isLineOpen = isHidden;
        resolve(answer);
      }, reject);
    });
  } finally {
    terminal.close();
    if (isLineOpen) process.stderr.write('\n');
  }
}

/** Asks for a yes; whoever cannot see the question has not said it. */
export async function confirm(question: string): Promise<boolean> {
  return canAsk() && /^y(es)?$/i.test((await ask(question)).trim());
}

/** Where a password comes from, other than a question. It is never the value of a flag, which others can see. */
export interface PasswordFlags {
  passwordStdin?: boolean;
  passwordFile?: string;
}

/** The password that standard input or a file holds; undefined if it is to be asked for. */
export async function givenPassword({ passwordStdin, passwordFile }: PasswordFlags): Promise<string | undefined> {
  if (passwordStdin === true) return withoutLineEnd(await text(process.stdin));
  if (passwordFile === undefined) return undefined;
  try {
    return withoutLineEnd(await readFile(passwordFile, 'utf8'));
  } catch {
    throw new OperatorError(`--password-file: ${passwordFile} cannot be read.`);
  }
}

function withoutLineEnd(password: string): string {
  return password.replace(/\r?\n$/, '');
}

/** Asks until the answer has no fault. */
export async function askUntilRight(
  question: () => Promise<string>,
  faultOf: (answer: string) => Promise<string | undefined> | string | undefined,
): Promise<string> {
  for (;;) {
    const answer = await question();
    const fault = await faultOf(answer);
    if (fault === undefined) return answer;
    process.stderr.write(`${fault}\n`);
  }
}

/** A new password, typed twice. */
export async function askNewPassword(faultOf: (password: string) => Promise<string | undefined>): Promise<string> {
  return askUntilRight(
    () => ask('Password (at least 10 characters; it is not shown): ', { isHidden: true }),
    async (password) => {
      const fault = await faultOf(password);
      if (fault !== undefined) return fault;
      const again = await ask('Repeat the password: ', { isHidden: true });
      return again === password ? undefined : 'The two passwords do not match.';
    },
  );
}
