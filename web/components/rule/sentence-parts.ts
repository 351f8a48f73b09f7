/** A piece of the sentence that says what a rule does: words of ours, or something that is shown in its own way. */
export type Part =
  | string
  /** A category in its colour. */
  | { kind: 'category'; id: string; text: string }
  /** A record by its name. */
  | { kind: 'name'; text: string }
  /** What a person typed, or a bank writes. */
  | { kind: 'typed'; text: string }
  /** Without a sign: the words around it say which way the money goes. */
  | { kind: 'money'; amount: string; currency: string | null };

export type Parts = readonly Part[];

export function typed(text: string): Part {
  return { kind: 'typed', text };
}

/** "a, b or c". */
export function joined(items: readonly Parts[], word: 'and' | 'or'): Parts {
  const before = (index: number): Parts => (index === 0 ? [] : [index === items.length - 1 ? ` ${word} ` : ', ']);
  return items.flatMap((item, index) => [...before(index), ...item]);
}

/** How an amount is said in a text: `formatMoney` on a page. */
export type SayMoney = (amount: string, currency: string | null) => string;

/** For titles, where no component can stand. */
export function inText(parts: Parts, sayMoney: SayMoney): string {
  return parts.map((part) => textOf(part, sayMoney)).join('');
}

function textOf(part: Part, sayMoney: SayMoney): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'money') return sayMoney(part.amount, part.currency);
  return part.kind === 'typed' ? `“${part.text}”` : part.text;
}

/** As much as has room, or undefined where all of it has. The cut is between pieces, or within a long text. */
export function cut(parts: Parts, most: number): Parts | undefined {
  let room = most;
  const kept: Part[] = [];
  for (const part of parts) {
    const { length } = textOf(part, (amount) => amount);
    if (length > room) return [...kept, shortened(part, room), '…'];
    room -= length;
    kept.push(part);
  }
  return undefined;
}

const LEAST = 12;

function shortened(part: Part, room: number): Part {
  if (typeof part === 'string') return part.slice(0, room);
  if (part.kind === 'money' || room < LEAST) return '';
  return { ...part, text: [...part.text].slice(0, room).join('') };
}
