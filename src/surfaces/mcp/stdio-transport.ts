import type { Readable, Writable } from 'node:stream';

import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

import { parseBoundedJson } from '../../kernel/json.ts';
import { LIMITS } from '../../kernel/limits.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NEWLINE = 0x0a;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}

/**
 * One message a line. Unlike the transport of the library, it answers what it cannot read, and when the input ends, it
 * waits until everything that was asked has been answered.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the input has ended and everything is answered. */
  readonly ended: Promise<void>;
  readonly #resolve: () => void;
  /** Requests that have no answer yet. */
  readonly #open = new Set<unknown>();
  readonly #input: Readable;
  readonly #output: Writable;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #hasEnded = false;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    ({ promise: this.ended, resolve: this.#resolve } = Promise.withResolvers<void>());
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => {
      // The last line may come without a newline.
      this.#takeLine();
      this.#end();
    });
    this.#input.on('error', () => this.#end());
    // Nobody reads any more; what runs is finished.
    this.#output.on('error', () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { id, method } = message as Message;
    if (!this.#output.destroyed) this.#output.write(`${JSON.stringify(message)}\n`);
    if (method === undefined) this.#open.delete(id);
    this.#closeIfDone();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.#resolve();
    this.onclose?.();
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#takeLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #takeLine(): void {
    const line = Buffer.concat(this.#pieces);
    const isTooLong = this.#bytes > LIMITS.jsonBodyBytes;
    [this.#pieces, this.#bytes] = [[], 0];
    if (isTooLong) this.#refuse(INVALID_REQUEST, 'A message has at most 1 MiB.');
    else this.#read(line.toString('utf8').trim());
  }

  /** The rest of a line that is too long is dropped. */
  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= LIMITS.jsonBodyBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #read(line: string): void {
    if (line === '') return;
    let message: unknown;
    try {
      message = parseBoundedJson(line);
    } catch {
      this.#refuse(PARSE_ERROR, 'The line is not a JSON value, or it nests too deep.');
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      this.#refuse(INVALID_REQUEST, 'A line is one message; batches are not supported.');
      return;
    }
    const { id, method, params } = message as Message;
    // The library would drop it, and whoever sent it would wait.
    if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message) && !isJSONRPCResponse(message)) {
      this.#refuse(INVALID_REQUEST, 'The line is not a JSON-RPC 2.0 message with a text or a whole number as id.', id);
      return;
    }
    if (method === 'notifications/cancelled') this.#open.delete(params?.requestId);
    else if (method !== undefined && id !== undefined) this.#open.add(id);
    this.onmessage?.(message);
  }

  #refuse(code: number, message: string, sent?: unknown): void {
    const id = typeof sent === 'string' || typeof sent === 'number' ? sent : null;
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#hasEnded && this.#open.size === 0) void this.close();
  }
}
