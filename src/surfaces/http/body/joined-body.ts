import { IncomingMessage } from 'node:http';

/** A piece this long costs less to hand on than to copy. */
const SMALL_BYTES = 1_024;
/** With so many pieces in hand, the socket is not read again until they have been handed on. */
const MANY_PIECES = 64;

/**
 * A request whose small pieces of body are handed on together, once a turn. A read of the socket can bring ten thousand
 * chunks of one byte; a stream spends microseconds on each, and Node would read on for as long as more arrive.
 */
export class JoinedBodyRequest extends IncomingMessage {
  #pieces: Buffer[] = [];

  /** False tells Node to stop reading until the stream asks for more, which it does after `#handOn`. */
  override push(piece: Buffer | null): boolean {
    if (piece === null || piece.length >= SMALL_BYTES) {
      this.#handOn();
      return super.push(piece);
    }
    if (this.#pieces.length === 0) setImmediate(() => this.#handOn());
    return this.#pieces.push(piece) < MANY_PIECES;
  }

  #handOn(): void {
    const [first, ...others] = this.#pieces;
    if (!first) return;
    this.#pieces = [];
    super.push(others.length === 0 ? first : Buffer.concat([first, ...others]));
  }
}
