import { vi } from 'vitest';

import { runCommandLine } from '../../../src/surfaces/cli/program.ts';

/**
 * Runs a command in this process, which saves the start of another one, with no settings but those given. Nobody is there
 * to be asked. Commands run one after the other.
 */
export async function runCommand(
  words: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; out: string; err: string }> {
  const { env: ownEnv } = process;
  const texts = { out: '', err: '' };
  const restore = [
    capture(process.stdout, (text) => (texts.out += text)),
    capture(process.stderr, (text) => (texts.err += text)),
  ];
  process.env = { ...env };
  try {
    return { code: await runCommandLine(words.split(' ')), ...texts };
  } finally {
    process.env = ownEnv;
    for (const one of restore) one();
  }
}

function capture(stream: NodeJS.WriteStream, take: (text: string) => void): () => void {
  const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
    take(String(text));
    return true;
  });
  return () => spy.mockRestore();
}
