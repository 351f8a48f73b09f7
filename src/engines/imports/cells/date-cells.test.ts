import { describe, expect, test } from 'vitest';

import { dateOfDayNumber, dayNumber } from '../../../kernel/dates.ts';
import { DateCell, NO_DAY, dayOf } from './date-cells.ts';
import type { DateOrder } from './date-cells.ts';
import { compileDateFormat } from './date-format.ts';

function read(cell: string, order: DateOrder): string | null {
  const date = new DateCell(2027);
  return date.read(cell) ? date.date(order) : null;
}

describe('a date cell', () => {
  test.each([
    ['2018-03-01', 'YMD', '2018-03-01'],
    ['2018/3/1', 'YMD', '2018-03-01'],
    ['2019.04.19.', 'YMD', '2019-04-19'],
    ['2019. 04. 19.', 'YMD', '2019-04-19'],
    ['2012:03:01', 'YMD', '2012-03-01'],
    ['29/02/2567', 'DMY', '2024-02-29'],
    ['01/02/2570', 'DMY', '2027-02-01'],
    ['01/02/2571', 'DMY', '2571-02-01'],
    ['01/02/2512', 'DMY', '2512-02-01'],
    ['2567-02-28', 'YMD', '2567-02-28'],
    ['13 Jan 2567', 'DMY', '2024-01-13'],
    ['2012:03:01 09:15', 'YMD', '2012-03-01'],
    ['12:03:01', 'DMY', null],
    ['12:03:2012', 'DMY', null],
    ['20180225', 'YMD', '2018-02-25'],
    ['20180225', 'DMY', '2018-02-25'],
    ['22.02.18', 'DMY', '2018-02-22'],
    ['1. 2. 2019', 'DMY', '2019-02-01'],
    ['6/12/15', 'MDY', '2015-06-12'],
    ['6/12/95', 'MDY', '1995-06-12'],
    ['01/01/28', 'DMY', '1928-01-01'],
    ['01/01/27', 'DMY', '2027-01-01'],
    ['10 Feb 18', 'DMY', '2018-02-10'],
    ['23-Jan-15', 'MDY', '2015-01-23'],
    ['Feb 10, 2018', 'DMY', '2018-02-10'],
    ['10. März 2018', 'DMY', '2018-03-10'],
    ['3 maart 2018', 'DMY', '2018-03-03'],
    ['03 avr. 2020', 'DMY', '2020-04-03'],
    ['2 de enero de 2020', 'DMY', '2020-01-02'],
    ['5 ago 2021', 'DMY', '2021-08-05'],
    ['1 giugno 2021', 'DMY', '2021-06-01'],
    ['7 Okt. 2021', 'DMY', '2021-10-07'],
    ['2018-02-25 12:34:56 +0000', 'YMD', '2018-02-25'],
    ['2025-01-31T23:00:00-08:00', 'YMD', '2025-01-31'],
    ['31/12/2024 23:59', 'DMY', '2024-12-31'],
    ['Mon, 15 Jan 2024', 'DMY', '2024-01-15'],
    ['Friday January 5, 2024', 'MDY', '2024-01-05'],
    ['Di 16.01.2024', 'DMY', '2024-01-16'],
    ['mar. 16/01/2024', 'DMY', '2024-01-16'],
    ['Mar 15, 2024', 'MDY', '2024-03-15'],
    ['segunda-feira, 15/01/2024', 'DMY', '2024-01-15'],
    ['16.01.2024 (Di)', 'DMY', '2024-01-16'],
    ['2025.11.17., hétfő', 'YMD', '2025-11-17'],
    ['2024/01/15(月) 12:30', 'YMD', '2024-01-15'],
    ['2024-01-15 (월)', 'YMD', '2024-01-15'],
    ['Shop 16.01.2024', 'DMY', null],
    ['16.01.2024 Shop', 'DMY', null],
    ['2025-02-30', 'YMD', null],
    ['31/02/2025', 'DMY', null],
    ['13/04/2025', 'MDY', null],
    ['2018-03-01', 'DMY', null],
    ['12.10', 'DMY', null],
    ['1.234.567', 'DMY', null],
    ['10 Foo 2018', 'DMY', null],
    ['2018-03-01 text', 'YMD', null],
    ['99999999', 'YMD', null],
  ] as const)('%s as %s is %s', (cell, order, date) => {
    expect(read(cell, order)).toBe(date);
  });

  test('day numbers agree with the calendar of the kernel', () => {
    for (let day = -200_000; day < 200_000; day += 997) {
      const date = dateOfDayNumber(day);
      const [year, month, date_] = date.split('-').map(Number) as [number, number, number];
      expect(dayOf(year, month, date_)).toBe(dayNumber(date));
    }
  });

  test.each([
    ['DD/MM/YYYY', '03/04/2025', '2025-04-03'],
    ['DD/MM/YYYY', '29/02/2567', '2024-02-29'],
    ['YYYY-MM-DD', '2567-02-28', '2567-02-28'],
    ['MM/DD/YYYY', '3/4/2025', '2025-03-04'],
    ['02.01.06', '31.12.24', '2024-12-31'],
    ['01/02/2006', '12/31/2024', '2024-12-31'],
    ['2006-01-02', '2024-12-31 10:00', '2024-12-31'],
    ['Jan 2, 2006', 'Dec 31, 2024', '2024-12-31'],
    ['D. M. YYYY', '31. 12. 2024', '2024-12-31'],
    ['YYYYMMDD', '20241231', '2024-12-31'],
    ['YY-MM-DD', '24-12-31', '2024-12-31'],
    ['YYYY[y]MM[m]DD', '2024y12m31', '2024-12-31'],
    ['DD/MM/YYYY', 'mar. 31/12/2024', '2024-12-31'],
    ['DD/MM/YYYY', '31/12/2024 (Tue)', '2024-12-31'],
    ['MMM D, YYYY', 'Mar 5, 2024', '2024-03-05'],
    ['DD/MM/YYYY', '12/31/2024', null],
    ['DD/MM/YYYY', '31.12.2024', null],
  ] as const)('format %s reads %s as %s', (format, cell, date) => {
    const day = compileDateFormat(format, 2027).read(cell);
    expect(day === NO_DAY ? null : dateOfDayNumber(day)).toBe(date);
  });

  test.each(['', 'xx', 'DD/MM', 'YYYY-MM-DD-DD', 'hello', '12/34/5678', '[', 'DD/MM/YYYY'.repeat(9)])(
    '%j is not a date format',
    (format) => {
      expect(() => compileDateFormat(format, 2027)).toThrow(/Use tokens, such as/);
    },
  );
});

test.each([
  ['en', 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'],
  ['de', 'Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez'],
  ['nl', 'jan feb mrt apr mei jun jul aug sep okt nov dec'],
  ['fr', 'janv févr mars avr mai juin juil août sept oct nov déc'],
  ['es', 'ene feb mar abr may jun jul ago sep oct nov dic'],
  ['it', 'gen feb mar apr mag giu lug ago set ott nov dic'],
  ['pt', 'jan fev mar abr mai jun jul ago set out nov dez'],
  ['da', 'jan feb mar apr maj jun jul aug sep okt nov dec'],
  ['pl', 'sty lut mar kwi maj cze lip sie wrz paź lis gru'],
  ['ro', 'ian feb mar apr mai iun iul aug sep oct noi dec'],
  ['tr', 'Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara'],
  ['id', 'Jan Feb Mar Apr Mei Jun Jul Agu Sep Okt Nov Des'],
])('every month that %s abbreviates is read', (_language, names) => {
  const cell = new DateCell(2027);
  names.split(' ').forEach((name, i) => {
    expect([name, cell.read(`13-${name}-2024`), cell.date('DMY')]).toEqual([
      name,
      true,
      `2024-${String(i + 1).padStart(2, '0')}-13`,
    ]);
  });
});
