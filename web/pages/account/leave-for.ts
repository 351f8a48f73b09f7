/** Reloads, so that nothing of the previous person is kept. Never resolves: the page is being left. */
export function leaveFor(address: string): Promise<never> {
  location.replace(address);
  return new Promise<never>(() => undefined);
}

/** A value of the query as it was written; the router would read `23467892` as a number. */
export function queryValue(name: string): string {
  return new URLSearchParams(location.search).get(name) ?? '';
}
