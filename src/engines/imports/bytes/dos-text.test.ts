import { describe, expect, test } from 'vitest';

import { mt940Statement, rows } from '../../../../test/harness/bank-files/statement-files.ts';
import { DOS_CODE_PAGES, dosCharacter } from './dos-code-pages.ts';
import { decodedChunks, detectEncoding } from './encoding.ts';
import { readOfx } from '../statements/ofx/ofx.ts';
import { readQif } from '../statements/qif/qif.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function inDos(text: string, label: string): Uint8Array {
  const bytes = new Map(Array.from({ length: 128 }, (_, i) => [dosCharacter(label, i + 128), i + 128]));
  return Uint8Array.from(text, (one) => bytes.get(one) ?? one.charCodeAt(0));
}

function decoded(bytes: Uint8Array, encoding?: string): [label: string, confidence: string, text: string] {
  const { source, confidence } = detectEncoding(bytes, encoding);
  return [source.label, confidence, [...decodedChunks(source, 7)].join('')];
}

describe('texts of DOS programs', () => {
  test.each([
    ['ibm850', 'Müller Bäckerei, Größe §5, Öl für 3 °C'],
    ['ibm850', 'Café Genève, reçu à Nîmes: déjà payé'],
    ['ibm850', 'Transacción en España, número 1'],
    ['ibm850', 'Rødgrød på Ærø, købt på Åen'],
    ['ibm850', 'Pão de açúcar, três cafés'],
    ['ibm852', 'Wpłata własna, żółw, składka zdrowotna'],
    ['ibm852', 'Příspěvek na oběd, úhrada kartou'],
  ])('%s: %s', (label, text) => {
    expect(decoded(inDos(text, label))).toEqual([label, 'likely', text]);
  });

  test('the cent sign of code page 437, which is a letter in 850, is read where the page is sent', () => {
    expect(decoded(Buffer.from('4d816c6c657220359b', 'hex'), 'ibm437')).toEqual(['ibm437', 'given', 'Müller 5¢']);
  });

  test.each(DOS_CODE_PAGES)('%s may be sent', (label) => {
    expect(decoded(inDos('Müller', label), label)).toEqual([label, 'given', 'Müller']);
  });

  test.each([
    ['quotes and dashes of windows-1252', '4f92427269656e206c92656175206120966f204173736f6369e9'],
    ['German in windows-1252', '4dfc6c6c657220537472616465'],
    ['a section sign', '5061726120a7342042fc726f'],
  ])('%s are no DOS text', (_, hex) => {
    expect(decoded(Buffer.from(hex, 'hex'))[0]).toBe('windows-1252');
  });

  test.each([
    ['Cyrillic', 'c4e0f2e02cd1f3ecece00a'],
    ['katakana', '834a815b83680a8352815b83710a'],
  ])('%s text is asked about', (_, hex) => {
    expect(detectEncoding(Buffer.from(hex, 'hex'), undefined).confidence).toBe('ambiguous');
  });

  test('French of a Macintosh is not read as capitals of DOS', () => {
    expect(decoded(Buffer.from('6e756d8e726f206372866469742c206372e86d65206672906e65', 'hex'))[0]).not.toMatch(/^ibm/);
  });
});

describe('statement files of DOS programs', () => {
  const ofx = (charset: string): string =>
    `OFXHEADER:100\nENCODING:USASCII\nCHARSET:${charset}\n\n<OFX><STMTRS><BANKTRANLIST><STMTTRN><TRNTYPE>POS` +
    '<DTPOSTED>20250131<TRNAMT>-1.00<FITID>1<NAME>Bäckerei Müller</STMTTRN></BANKTRANLIST></STMTRS></OFX>';
  const names = (bytes: Uint8Array): unknown[] => {
    const file = readOfx(bytes, {}, CONTEXT);
    const [first] = file.statements[0]?.entries ?? [];
    return [first?.description, file.encoding.value, file.encoding.confidence, file.warnings.map(({ code }) => code)];
  };

  test.each(['850', '437', 'CP850', 'IBM437'])('OFX that declares CHARSET:%s', (charset) => {
    const label = `ibm${charset.slice(-3)}`;
    expect(names(inDos(ofx(charset), label))).toEqual(['Bäckerei Müller', label, 'certain', []]);
  });

  test('OFX that declares 1252 anyway gets a warning', () => {
    expect(names(inDos(ofx('1252'), 'ibm850'))).toEqual([
      'Bäckerei Müller',
      'ibm850',
      'likely',
      ['DECLARED_ENCODING_WRONG'],
    ]);
  });

  test('QIF', () => {
    const file = readQif(inDos('!Type:Bank\nD31.01.2025\nT-5,00\nPGroßbäckerei\n^\n', 'ibm437'), {}, CONTEXT);
    expect([...(file.statements[0]?.entries ?? [])].map((entry) => entry.description)).toEqual(['Großbäckerei']);
  });

  test('MT940 in French', () => {
    const content = mt940Statement(':61:250115D1,00NTRFNONREF\n:86:Épicerie, crème brûlée à Nîmes');
    expect(rows(inDos(content, 'ibm850')).map((row) => row.description)).toEqual(['Épicerie, crème brûlée à Nîmes']);
  });
});
