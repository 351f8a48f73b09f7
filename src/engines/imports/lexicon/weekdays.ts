import { fold } from '../../../kernel/fold.ts';

/** Days of the week by language; any beginning of at least two letters is an abbreviation. */
const NAMES = [
  'monday tuesday wednesday thursday friday saturday sunday',
  'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag',
  'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunes martes miércoles jueves viernes sábado domingo',
  'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  'segunda terça quarta quinta sexta sábado domingo',
  'måndag tisdag onsdag torsdag fredag lördag söndag',
  'mandag tirsdag onsdag torsdag fredag lørdag søndag',
  'maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai',
  'hétfő kedd szerda csütörtök péntek szombat vasárnap',
  'poniedziałek wtorek środa czwartek piątek sobota niedziela',
  'pondělí úterý středa čtvrtek pátek sobota neděle',
];

/** In East Asian dates one sign is the whole word, as in `2024/01/15(月)`. */
const SIGNS = '月 火 水 木 金 土 日 월 화 수 목 금 토 일';

const WEEKDAYS = new Set<string>(SIGNS.split(' ').map(fold));
for (const name of NAMES.join(' ').split(' ').map(fold))
  for (let length = 2; length <= name.length; length++) WEEKDAYS.add(name.slice(0, length));

const LONGEST = 14;

/** True for the name of a weekday or its abbreviation. Most texts begin with another word: ASCII is compared as it is. */
export function isWeekday(word: string): boolean {
  if (word.length > LONGEST) return false;
  return WEEKDAYS.has(/^[A-Za-z]+$/.test(word) ? word.toLowerCase() : fold(word).replace(/^\(|\)$/g, ''));
}
