import type { DateOnly } from '../../src/kernel/dates.ts';

const PLACEHOLDER = /%|@|\{md\}|\{dm\}|\{city\}/g;
const CODE_CHARS = 'ABCDEFGHJKLMNPQRTUVWXYZ0123456789';
const CITIES = [
  'PORTLAND OR',
  'BEAVERTON OR',
  'PORTLAND OR',
  'GRESHAM OR',
  'TIGARD OR',
  'VANCOUVER WA',
  'PORTLAND OR',
  'SALEM OR',
  'HILLSBORO OR',
  'SEATTLE WA',
];

/**
 * Fills a raw bank text: `%` a digit, `@` a letter or digit, `{md}` and `{dm}` the date, `{city}` a town.
 * The same number gives the same text.
 */
export function bankText(template: string, number: number, date: DateOnly): string {
  let state = scramble(number);
  const draw = (below: number): number => {
    state = scramble(state);
    return state % below;
  };
  return template.replace(PLACEHOLDER, (mark) => {
    if (mark === '%') return String(draw(10));
    if (mark === '@') return CODE_CHARS.charAt(draw(CODE_CHARS.length));
    if (mark === '{city}') return CITIES[draw(CITIES.length)] as string;
    const month = date.slice(5, 7);
    const day = date.slice(8, 10);
    return mark === '{md}' ? month + day : `${day}.${month}.`;
  });
}

function scramble(value: number): number {
  let z = (value + 0x9e3779b9) >>> 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}
