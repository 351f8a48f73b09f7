import { describe, expect, test } from 'vitest';

import { encoded, readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { detectEncoding } from './encoding.ts';

const CZECH = 'Datum zaúčtování;Zpráva;Částka;Měna\n27.05.2023;Příspěvek na oběd;-120,00;CZK\n';
const POLISH = 'Data;Tytuł;Kwota\n27.05.2023;Zażółć gęślą jaźń;-120,00\n';
const HUNGARIAN = 'Dátum;Megnevezés;Összeg\n2023.05.27;Fűszerkert őszi vásár;-1200\n';

const TURKISH = 'Tarih;Açıklama;Tutar\n13.01.2026;MİGROS ALIŞVERİŞ İSTANBUL;-125,40\n';
const LITHUANIAN = 'Data;Gavėjas;Paskirtis;Suma\n2026-01-13;Žalgiris;Pirkinys šiandien už sausį;-12,50\n';
const LATVIAN = 'Datums;Maksājuma mērķis;Summa\n2026-01-13;Rēķins Rīgas ūdens;-12,50\n';
const ESTONIAN = 'Kuupäev;Selgitus;Summa\n13.01.2026;Šokolaad žurnaal õhtul;-12,50\n';

describe('encodings beyond western ones', () => {
  test.each([
    ['windows-1250', CZECH, '2023-05-27 120.00 CZK Příspěvek na oběd'],
    ['iso-8859-2', CZECH, '2023-05-27 120.00 CZK Příspěvek na oběd'],
    ['windows-1250', POLISH, '2023-05-27 120.00 - Zażółć gęślą jaźń'],
    ['iso-8859-2', POLISH, '2023-05-27 120.00 - Zażółć gęślą jaźń'],
    ['windows-1250', HUNGARIAN, '2023-05-27 1200.00 - Fűszerkert őszi vásár'],
    ['windows-1254', TURKISH, '2026-01-13 125.40 - MİGROS ALIŞVERİŞ İSTANBUL'],
    ['windows-1257', LITHUANIAN, '2026-01-13 12.50 - Pirkinys šiandien už sausį'],
    ['windows-1257', LATVIAN, '2026-01-13 12.50 - Rēķins Rīgas ūdens'],
    ['windows-1257', ESTONIAN, '2026-01-13 12.50 - Šokolaad žurnaal õhtul'],
  ])('%s: the letters of one language', (encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual([expected]);
  });

  test.each([
    'Datum;Text;Betrag\n27.05.2023;Müßiggänger Übung für Öl;-1,00\n',
    'Date;Libellé;Montant\n27/05/2023;Déjà payé, forêt, cœur, naïf, garçon;-1,00\n',
    'Datum;Text;Betrag\n27.05.2023;Bäckerei Genève Crèmerie;-1,00\n',
    'Dato;Tekst;Beløb\n27.05.2023;Smørrebrød på Åen æble;-1,00\n',
    'Data;Descrizione;Importo\n27/05/2023;Città più caffè perché;-1,00\n',
    'Fecha;Concepto;Importe\n27/05/2023;Año ¿qué? niño acción ª º;-1,00\n',
    'Data;Descrição;Valor\n27/05/2023;Pão de açúcar às três então;-1,00\n',
    'Dags;Skýring;Upphæð\n27.05.2023;Kaup í búð, þjónusta við höfn;-1,00\n',
    'Kuupäev;Selgitus;Summa\n27.05.2023;Töötasu õhtul, üür ja söök;-1,00\n',
    'Date,Description,Amount\n2023-05-27,£5 tea at 20° ½ price ²,-1.00\n',
    'Date,Description,Amount\n2023-05-27,Gas 12m³ May,-1.00\n',
  ])('western text stays western: %s', (file) => {
    const bytes = Uint8Array.from(file, (letter) => (letter === 'œ' ? 0x9c : (letter.codePointAt(0) ?? 63)));
    expect(detectEncoding(bytes, undefined).source.label).toBe('windows-1252');
  });

  test('Japanese is recognised by the names of its columns', () => {
    // "日付,摘要,お支払金額,残高" and one row, as Shift_JIS.
    const names = '93fa95742c9345977 62c82a88e7895a58be08a7a2c8e638d82'.replaceAll(' ', '');
    const bytes = Buffer.concat([Buffer.from(names, 'hex'), Buffer.from('\n2023/05/27,ABC,100,900\n')]);
    expect(detectEncoding(bytes, undefined).source.label).toBe('shift_jis');
  });

  test.each([
    ['windows-1253', 'Ημερομηνία;Περιγραφή;Ποσό\n13/01/2026;Πληρωμή ΔΕΗ;-60,00\n'],
    ['windows-1255', 'תאריך,תיאור,סכום\n13/01/2026,שופרסל דיל,-125.40\n'],
  ])('%s is the first choice where column names are known in it', (label, file) => {
    const { confidence, candidates } = detectEncoding(encoded(file, label), undefined);
    expect([confidence, candidates[0]?.value]).toEqual(['ambiguous', label]);
  });

  test.each([
    ['windows-1254', 'Date;Text;Amount\n13.01.2026;MİGROS ŞOK;-12,50\n'],
    ['windows-1257', 'Date;Text;Amount\n13.01.2026;Maiustused, šokolaad;-12,50\n'],
  ])('a letter that would be the only Icelandic one is asked about: %s', (label, file) => {
    const { confidence, candidates } = detectEncoding(encoded(file, label), undefined);
    expect([confidence, candidates.map(({ value }) => value)]).toEqual([
      'ambiguous',
      expect.arrayContaining(['windows-1252', label]),
    ]);
  });

  test('one letter that fits no western language is asked about', () => {
    const bytes = encoded(
      'Kuupäev;Selgitus;Summa\n13.01.2026;Töötasu õhtul, üür ja söök öösel, köök, žurnaal;-12,50\n',
      'windows-1257',
    );
    const { candidates } = detectEncoding(bytes, undefined);
    expect(candidates.map(({ value }) => value)).toContain('windows-1257');
  });

  test('Cyrillic text is asked about', () => {
    expect(readingOf('Дата;Описание;Сумма\n27.05.2023;Хлеб;-10,00\n', 'windows-1251')).toEqual([
      'AMBIGUOUS_FORMAT encoding',
    ]);
  });
});
