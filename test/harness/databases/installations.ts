import { cpSync } from 'node:fs';

import { createPostgresDatabase, temporaryDirectory } from './databases.ts';
import { keepRows, rewindable } from './rewindable-database.ts';

/** Where an app keeps its data, and what was made there already. */
export interface Place<Made> {
  env: Readonly<Record<string, string>>;
  made: Made | undefined;
  remove(): Promise<void>;
}

export type Prepare<Made> = (env: Readonly<Record<string, string>>) => Promise<Made>;

export interface Installations<Made> {
  /** A directory and, on a server, a database in which nobody has started yet. */
  bare(): Promise<Place<Made>>;
  /** The same after its first start: a copy of one that was prepared once, because a first start is slow. */
  prepared(): Promise<Place<Made>>;
}

interface Prepared<Made> {
  home: string;
  made: Made;
}

export function embeddedInstallations<Made>(prepare: Prepare<Made>): Installations<Made> {
  const bare = (): Place<Made> => {
    const directory = temporaryDirectory();
    const remove = async (): Promise<void> => directory.remove();
    return { env: { HOMELEDGER_DATA_DIR: directory.path }, made: undefined, remove };
  };
  let original: Promise<Prepared<Made>> | undefined;
  async function makeOriginal(): Promise<Prepared<Made>> {
    const home = temporaryDirectory().path;
    return { home, made: await prepare({ HOMELEDGER_DATA_DIR: home }) };
  }
  return {
    bare: async () => bare(),
    async prepared() {
      const { home, made } = await (original ??= makeOriginal());
      const place = bare();
      cpSync(home, place.env['HOMELEDGER_DATA_DIR'] as string, { recursive: true });
      return { ...place, made };
    },
  };
}

interface PreparedServer<Made> extends Prepared<Made> {
  url: string;
}

interface ServerInstallation<Made> extends PreparedServer<Made> {
  /** Puts every row back as it was when prepared; false when the schema is no longer the same. */
  rewind(): Promise<boolean>;
  drop(): Promise<void>;
}

export function serverInstallations<Made>(prepare: Prepare<Made>): Installations<Made> {
  /** Used by earlier tests and emptied since: making a database takes much longer than emptying one. */
  const idle: ServerInstallation<Made>[] = [];
  let original: Promise<PreparedServer<Made>> | undefined;
  async function makeOriginal(): Promise<PreparedServer<Made>> {
    const { url } = await createPostgresDatabase();
    const home = temporaryDirectory().path;
    const made = await prepare({ HOMELEDGER_DATA_DIR: home, DATABASE_URL: url });
    await keepRows(url);
    return { url, home, made };
  }
  async function makeOne(): Promise<ServerInstallation<Made>> {
    const prepared = await (original ??= makeOriginal());
    const database = await createPostgresDatabase({ copyOf: prepared.url });
    const content = await rewindable(database.url);
    return {
      ...prepared,
      url: database.url,
      rewind: () => content.rewind(),
      async drop() {
        await content.close();
        await database.drop();
      },
    };
  }
  return {
    async bare() {
      const directory = temporaryDirectory();
      const database = await createPostgresDatabase();
      return {
        env: { HOMELEDGER_DATA_DIR: directory.path, DATABASE_URL: database.url },
        made: undefined,
        async remove() {
          await database.drop();
          directory.remove();
        },
      };
    },
    async prepared() {
      const one = idle.pop() ?? (await makeOne());
      const directory = temporaryDirectory();
      cpSync(one.home, directory.path, { recursive: true });
      return {
        env: { HOMELEDGER_DATA_DIR: directory.path, DATABASE_URL: one.url },
        made: one.made,
        async remove() {
          if (await one.rewind()) idle.push(one);
          else await one.drop();
          directory.remove();
        },
      };
    },
  };
}
