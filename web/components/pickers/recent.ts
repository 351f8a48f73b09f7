const KEPT = 5;

type Kind = 'category' | 'counterparty' | 'tag' | 'account';

/** What was picked last, newest first. Of this tab only: nothing of the household is kept on the device. */
const picked: Record<Kind, readonly string[]> = { category: [], counterparty: [], tag: [], account: [] };

export function recent(kind: Kind): readonly string[] {
  return picked[kind];
}

export function noteRecent(kind: Kind, id: string): void {
  picked[kind] = [id, ...picked[kind].filter((other) => other !== id)].slice(0, KEPT);
}
