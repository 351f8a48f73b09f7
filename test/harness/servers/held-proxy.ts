import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

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

interface Silence {
  wanted: { statement: RegExp; lost: Lost; done: () => void } | undefined;
}

/** Whether a connection has fallen silent, asked with each piece that it should pass on. */
function silenceOf(far: Socket, silence: Silence): (isFromClient: boolean, chunk: Buffer | string) => boolean {
  let isSilent = false;
  let isMeant = false;
  return (isFromClient, chunk) => {
    const { wanted } = silence;
    if (isSilent || !isFromClient || !wanted) return isSilent;
    const text = chunk.toString('latin1');
    isMeant ||= wanted.statement.test(text);
    if (!isMeant || (wanted.lost === 'commit' && !text.includes(COMMIT))) return false;
    isSilent = true;
    if (wanted.lost !== 'statement') far.write(chunk);
    silence.wanted = undefined;
    wanted.done();
    return true;
  };
}

/** The address of the database through the server. */
async function listening(server: Server, databaseUrl: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to listen on.');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${address.port}`;
  return url.href;
}

export async function proxyTo(databaseUrl: string): Promise<HeldProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isHeld = false;
  let breaking: { statement: RegExp; lost: 'commit' | 'answer'; done: () => void } | undefined;
  const silence: Silence = { wanted: undefined };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const isSilent = silenceOf(far, silence);
    let isMeant = false;
    let isAnswerLost = false;
    const breakNow = (): void => {
      for (const socket of [near, far]) socket.destroy();
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
        if (isSilent(from === near, chunk)) return;
        if (isLost(from === near, chunk.toString('latin1'))) breakNow();
        else if (!isHeld) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  const url = await listening(server, databaseUrl);
  return {
    url,
    breakCommit: (statement, lost) =>
      new Promise((done) => {
        breaking = { statement, lost, done };
      }),
    silence: (statement, lost) =>
      new Promise((done) => {
        silence.wanted = { statement, lost, done };
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
