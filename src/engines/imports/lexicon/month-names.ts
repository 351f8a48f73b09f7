import { fold } from '../../../kernel/fold.ts';

/** Month names by language; an abbreviation is any prefix of at least three letters that names one month only. */
const NAMES = [
  'january february march april may june july august september october november december',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'január február március április május június július augusztus szeptember október november december',
  'januar februar marts april maj juni juli august september oktober november december',
  'januari februari mars april maj juni juli augusti september oktober november december',
  'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'leden únor březen duben květen červen červenec srpen září říjen listopad prosinec',
  'ledna února března dubna května června července srpna září října listopadu prosince',
  'tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu',
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie',
  'ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık',
  'januari februari maret april mei juni juli agustus september oktober november desember',
];

const EXTRA: Readonly<Record<string, number>> = {
  sept: 9,
  mrt: 3,
  mrz: 3,
  jän: 1,
  jänner: 1,
  ene: 1,
  ago: 8,
  dic: 12,
  maa: 3,
  gen: 1,
  mag: 5,
  giu: 6,
  lug: 7,
  set: 9,
  ott: 10,
  mar: 3,
  čvn: 6,
  čvc: 7,
};

const MONTHS = new Map<string, number>();
const UNCLEAR = new Set<string>();

const FIXED = new Set(Object.keys(EXTRA).map(fold));

for (const [word, month] of Object.entries(EXTRA)) MONTHS.set(fold(word), month);
for (const language of NAMES) {
  language.split(' ').forEach((name, i) => {
    const folded = fold(name);
    for (let length = 3; length <= folded.length; length++)
      learn(folded.slice(0, length), i + 1, length === folded.length);
  });
}
for (const word of UNCLEAR) MONTHS.delete(word);

function learn(word: string, month: number, isWhole: boolean): void {
  const known = MONTHS.get(word);
  if (known === undefined) MONTHS.set(word, month);
  else if (known !== month && !isWhole && !FIXED.has(word)) UNCLEAR.add(word);
}

/** The month a name or abbreviation means (1–12), 0 for any other word. */
export function monthOf(word: string): number {
  const exact = MONTHS.get(word);
  if (exact !== undefined) return exact;
  return word.length > 14 ? 0 : (MONTHS.get(fold(word)) ?? 0);
}
