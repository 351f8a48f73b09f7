import { said } from './placeholder.ts';

export interface LabelledText {
  readonly description: string;
  readonly otherSide: string;
  readonly otherAccount: string;
}

const LABEL = /\b(IBAN|BIC|Naam|Omschrijving|Kenmerk|Machtiging|Incassant|Betalingskenm\.|Voor|REK|NAAM):\s/g;

/**
 * Reads `SEPA Overboeking  IBAN: …  BIC: …  Naam: …  Omschrijving: …` and `… REK: …/NAAM: …`; null for a text without
 * such labels.
 */
export function readLabels(text: string): LabelledText | null {
  const values = new Map<string, string>();
  let label = '';
  let from = 0;
  const close = (to: number): void => {
    if (label !== '' && !values.has(label)) values.set(label, said(text.slice(from, to)));
  };
  for (const match of text.matchAll(LABEL)) {
    close(match.index);
    label = match[1] as string;
    from = match.index + match[0].length;
  }
  close(text.length);
  const value = (name: string): string => values.get(name) ?? '';
  if (value('REK') !== '' && values.has('NAAM')) {
    const account = value('REK').replace(/\/$/, '');
    return { description: said(text.slice(0, text.indexOf('REK: '))), otherSide: value('NAAM'), otherAccount: account };
  }
  if (value('IBAN') === '' || !values.has('Naam')) return null;
  return {
    description: value('Omschrijving') || value('Betalingskenm.') || value('Kenmerk'),
    otherSide: value('Naam'),
    otherAccount: value('IBAN').replaceAll(' ', ''),
  };
}
