// A collection frees the memory of bytes too, but late: they are not on the heap that it watches, and tens of megabytes
// of them gather, which the process then hardly ever gives back.

/**
 * Frees bytes that nobody reads any more. Bytes that share their memory with others stay, as those of Node's pool do: it
 * has to be of just this size, or of `size` if they are known to be all that is used of it.
 */
export function freeBytes(bytes: Uint8Array, size = bytes.byteLength): void {
  if (bytes.buffer.byteLength === size) freeWithAllAround(bytes);
}

/** Frees bytes and whatever shares their memory. */
export function freeWithAllAround({ buffer }: Uint8Array): void {
  // Memory that threads share cannot be freed.
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
