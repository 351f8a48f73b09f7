/**
 * Frees the memory of bytes that nobody reads any more. A collection would free it too, but comes late: the bytes are
 * not on the heap that it watches, and tens of megabytes of them gather. If the bytes share more memory than `own`, which
 * is theirs, nothing is freed.
 */
export function release({ buffer, byteLength }: Uint8Array, own = byteLength): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === own) buffer.transfer(0);
}
