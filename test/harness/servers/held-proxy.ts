import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

type Lost = 'statement' | 'answer' | 'commit';

/** A TCP proxy in front of a database server, to make it fall silent or disappear. */
export interface HeldProxy {
  url: string;
  /**
   * Breaks a connection on which `statement` was sent, when it commits: before the server has seen the commit, or after,
   * so that its answer is lost. Resolves when that has happened.
   */
  breakCommit(statement: RegExp, lost: 'commit' | 'answer'): Promise<void>;
  /**
   * The connection on which `statement` is sent falls silent: before the server has seen it, before its answer, or
   * before that of its commit.
   */
  silence(statement: RegExp, lost: Lost): Promise<void>;
  /** Bytes stop flowing, connections stay. */
  hold(): void;
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>;
}

/** A simple query of this text alone, with the end of its message. */
const COMMIT = 'commit\0';

export async function proxyTo(databaseUrl: string): Promise<HeldProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isHeld = false;
  let breaking: { statement: RegExp; lost: 'commit' | 'answer'; done: () => void } | undefined;
  let silencing: { statement: RegExp; lost: Lost; done: () => void } | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isSilent = false;
    let isAwaited = false;
    /** True when this is what the connection falls silent after. */
    const fallsSilent = (text: string): boolean => {
      if (!silencing) return false;
      isAwaited ||= silencing.statement.test(text);
      return isAwaited && (silencing.lost !== 'commit' || text.includes(COMMIT));
    };
    let isMeant = false;
    let isAnswerLost = false;
    const breakNow = (): void => {
      near.destroy();
      far.destroy();
      breaking?.done();
      breaking = undefined;
    };
    /** True when the bytes must not go on. */
    const isLost = (isFromClient: boolean, text: string): boolean => {
      if (!isFromClient) return isAnswerLost;
      isMeant = !text.includes('begin') && (isMeant || breaking?.statement.test(text) === true);
      if (!isMeant || !breaking || !text.includes(COMMIT)) return false;
      isAnswerLost = true;
      return breaking.lost === 'commit';
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (isSilent) return;
        if (from === near && fallsSilent(chunk.toString('latin1'))) {
          isSilent = true;
          if (silencing?.lost !== 'statement') to.write(chunk);
          silencing?.done();
          silencing = undefined;
          return;
        }
        if (isLost(from === near, chunk.toString('latin1'))) breakNow();
        else if (!isHeld) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to listen on.');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    breakCommit: (statement, lost) =>
      new Promise((done) => {
        breaking = { statement, lost, done };
      }),
    silence: (statement, lost) =>
      new Promise((done) => {
        silencing = { statement, lost, done };
      }),
    hold: () => {
      isHeld = true;
    },
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
