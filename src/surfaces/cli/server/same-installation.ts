import { resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** What decides which installation a command works on, and whether the server accepts the key it creates. */
const PLACES = ['HOMELEDGER_DATA_DIR', 'ENCRYPTION_KEY_FILE'];
const PLAIN = ['API_KEY_PREFIX'];
const SECRET = ['ENCRYPTION_KEY'];

/**
 * A command as it can be pasted into another terminal to work on the same installation. A secret is not printed: the
 * shell takes it from its own variable, and stops if that is not set.
 */
export function onSameInstallation(command: string, environment: Environment): string {
  const settings = [
    ...PLACES.map((name) => [name, (value: string) => quoted(resolve(value))] as const),
    ['DATABASE_URL', (value: string) => (hasPassword(value) ? fromShell('DATABASE_URL') : quoted(value))] as const,
    ...SECRET.map((name) => [name, () => fromShell(name)] as const),
    ...PLAIN.map((name) => [name, quoted] as const),
  ];
  const words = settings.flatMap(([name, show]) => {
    const value = environment[name];
    return value === undefined || value === '' ? [] : [`${name}=${show(value)}`];
  });
  return [...words, command].join(' ');
}

function fromShell(name: string): string {
  return `"\${${name}:?set it as for the server}"`;
}

export function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Text that is not a valid address is assumed to contain a password. */
function hasPassword(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { password, searchParams } = new URL(url);
  return password !== '' || [...searchParams.keys()].some((name) => /pass|key/i.test(name));
}
