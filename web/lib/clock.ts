/** The browser's clock. */
export function nowMs(): number {
  return Date.now();
}
