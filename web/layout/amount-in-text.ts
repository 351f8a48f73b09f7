/** What is around an amount as people write it: a sign, a currency by sign or code. */
const AROUND = /^(?:[-+−–]|\p{Sc}|[A-Z]{3}|kr|zł|Kč|Ft|Fr\.?)*|(?:[-+−–]|\p{Sc}|[A-Z]{3}|kr|zł|Kč|Ft|Fr\.?)*$/gu;
const GROUPED = /^\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d{1,2})?$/;
const PLAIN = /^\d+(?:[.,]\d{1,2})?$/;

/** The range of amounts that a text means, if it is one: `49,99`, `$49.99`, `1.234,56`; `49` is everything up to 49.99. */
export function amountIn(text: string): { min: string; max: string } | undefined {
  const bare = text.replace(/[\s\u00a0\u202f]/g, '').replace(AROUND, '');
  if (!GROUPED.test(bare) && !PLAIN.test(bare)) return undefined;
  const [, whole = '', , fraction = ''] = /^(.*?)([.,](\d{1,2}))?$/.exec(bare) ?? [];
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const min = `${digits}.${fraction.padEnd(2, '0')}`;
  return { min, max: fraction === '' ? `${digits}.99` : min };
}
