const IBAN_LENGTHS = [
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20',
  'EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30',
  'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23',
  'PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26',
  'UA29 VA22 VG24 XK20 YE30',
];
/** Lengths of an IBAN by country (ISO 13616). */
const IBAN_CHARS: ReadonlyMap<string, number> = new Map(
  IBAN_LENGTHS.flatMap((line) => line.split(' ')).map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
/** Country and check digits, then letters and digits with at most one space or dash between two. */
const IBAN_START = /(?<![\p{L}\p{Nd}])[A-Z]{2}[\p{Zs}\p{Pd}]?\d[\p{Zs}\p{Pd}]?\d(?:[\p{Zs}\p{Pd}]?[A-Z\d]){11,31}/giu;
/** Eight digits in a row, or twelve with single spaces or dashes between them. */
const LONG_NUMBER = /\p{Nd}(?:[\p{Zs}\p{Pd}]?\p{Nd}){11,}|\p{Nd}{8,}/gu;
const SEPARATOR = /[\p{Zs}\p{Pd}]/gu;

/** A text in which account and card numbers keep only their last four characters: `•••1234` (contract 70.7). */
export function maskNumbers(text: string): string {
  const start = new RegExp(IBAN_START);
  let shown = '';
  let done = 0;
  // What stands between IBANs is looked at alone: the end of one is no beginning of the number or date behind it.
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const iban = ibanIn(match[0]);
    // Something else that only begins like one, such as "No 12", may be followed by one.
    start.lastIndex = match.index + (iban?.length ?? 1);
    if (iban === undefined) continue;
    shown += maskLong(text.slice(done, match.index)) + masked(iban.toUpperCase());
    done = start.lastIndex;
  }
  return shown + maskLong(text.slice(done));
}

function maskLong(text: string): string {
  return text.replace(LONG_NUMBER, masked);
}

/** Only as much of it as its country's IBANs have: words may follow, or another IBAN. */
function ibanIn(found: string): string | undefined {
  const chars = IBAN_CHARS.get(found.slice(0, 2).toUpperCase()) ?? Infinity;
  let end = 0;
  for (let count = 0; end < found.length && count < chars; end++) if (!isSeparator(found[end] as string)) count += 1;
  const iban = found.slice(0, end).replaceAll(SEPARATOR, '').toUpperCase();
  return iban.length === chars && isChecked(iban) ? found.slice(0, end) : undefined;
}

function isSeparator(character: string): boolean {
  return /[\p{Zs}\p{Pd}]/u.test(character);
}

/** Whether the check digits are right: letters count as 10 to 35, and the remainder by 97 is 1. */
function isChecked(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

function masked(number: string): string {
  return `•••${[...number.replaceAll(SEPARATOR, '')].slice(-4).join('')}`;
}
