import { isCalendarDate, parseInstant, toDateOnly } from '../../../../kernel/dates.ts';
import { digitsEnd, numberAt } from '../../cells/date-words.ts';

const LONGEST = 48;
/** What follows the hours of a zone: a fraction or minutes, as in `[5.5:IST]` and `[-3.30:NST]`. */
const ZONE_MINUTES: Readonly<Record<string, string>> = {
  '': '00',
  '0': '00',
  '00': '00',
  '5': '30',
  '50': '30',
  '30': '30',
  '25': '15',
  '15': '15',
  '75': '45',
  '45': '45',
};

interface OfxDate {
  /** The calendar date as written; no zone moves it. */
  readonly date: string;
  /** UTC instant, where time and zone are written and readable. */
  readonly datetime: string | null;
}

/** Reads `20250131`, `20250131120000.000[-5:EST]`, `2025-01-31` and their like; null for anything else. */
export function readOfxDate(text: string): OfxDate | null {
  if (text.length < 8 || text.length > LONGEST) return null;
  const separator = text.charCodeAt(4);
  const isSeparated = (separator === 45 || separator === 47 || separator === 46) && text.charCodeAt(7) === separator;
  const [monthAt, dayAt, end] = isSeparated ? [5, 8, 10] : [4, 6, 8];
  if (digitsEnd(text, 0) < 4 || digitsEnd(text, monthAt) < monthAt + 2 || digitsEnd(text, dayAt) < dayAt + 2)
    return null;
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, monthAt, monthAt + 2);
  const day = numberAt(text, dayAt, dayAt + 2);
  if (!isCalendarDate(year, month, day)) return null;
  const date = toDateOnly(year, month, day);
  return { date, datetime: text.length === end ? null : instantOn(date, text.slice(end)) };
}

/** The instant of a time such as `120000.000[-5:EST]`; null where a part is missing. */
function instantOn(date: string, tail: string): string | null {
  const match =
    /^[T ]?(\d{2}):?(\d{2})(?::?(\d{2}))?(?:[.,:]\d{1,9})?\s?(?:Z|\[([+-]?)(\d{1,2})(?:[.:](\d{1,2}))?(?::[^\]]{0,20})?\])$/.exec(
      tail,
    );
  if (!match) return null;
  const [, hours, minutes, seconds = '00', sign = '', zoneHours = '0', fraction = ''] = match;
  const zoneMinutes = ZONE_MINUTES[fraction];
  if (zoneMinutes === undefined) return null;
  const offset = `${sign === '-' ? '-' : '+'}${zoneHours.padStart(2, '0')}:${zoneMinutes}`;
  return parseInstant(`${date}T${hours}:${minutes}:${seconds}${offset}`) ?? null;
}
