import { said } from './placeholder.ts';

export interface SepaText {
  readonly hasMarks: boolean;
  /** What SVWZ+ introduces, else the text before the first mark. */
  readonly purpose: string;
  readonly otherSide: string;
  readonly otherAccount: string;
}

const MARK =
  /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT|PURP|IBAN|BIC)\+|\b(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA): ?/g;

/** Splits the SEPA marks off a purpose text (36.14.4). */
export function readSepaMarks(text: string): SepaText {
  const parts = new Map<string, string>();
  let name = '';
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    keep(parts, name, text.slice(from, match.index));
    name = match[1] ?? (match[2] as string);
    from = match.index + match[0].length;
  }
  keep(parts, name, text.slice(from));
  return {
    hasMarks: name !== '',
    purpose: parts.get('SVWZ') ?? parts.get('') ?? '',
    otherSide: said(parts.get('ABWA') ?? ''),
    otherAccount: (parts.get('IBAN') ?? '').trim(),
  };
}

function keep(parts: Map<string, string>, name: string, text: string): void {
  parts.set(name, (parts.get(name) ?? '') + text);
}
