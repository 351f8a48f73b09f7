/**
 * Frees the memory of bytes that nobody reads any more. A collection would free it too, but comes late: the bytes are
 * not on the heap that it watches, and tens of megabytes of them gather. Bytes that share their memory stay.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) buffer.transfer(0);
}
