import { describe, expect, test } from 'vitest';

import { camtEntry, camtFile, mt940Statement, rows } from '../../../../test/harness/bank-files/statement-files.ts';
import { analyseStatements } from '../statements/analyse-statements.ts';
import type { AnalysedRow } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';
import { readOfx } from '../statements/ofx/ofx.ts';
import { readQif } from '../statements/qif/qif.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function told(found: Iterable<AnalysedRow>): unknown[] {
  const [row] = [...found];
  return [row?.description, row?.merchant_name];
}

function ofx(name: string, memo: string): unknown[] {
  const entry = `<STMTTRN><TRNTYPE>POS<DTPOSTED>20250131<TRNAMT>-1.00<FITID>1<NAME>${name}<MEMO>${memo}</STMTTRN>`;
  const content = `<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST>${entry}</BANKTRANLIST></STMTRS></OFX>`;
  return told(analyseStatements(readOfx(new TextEncoder().encode(content), {}, CONTEXT), {}, CONTEXT).rows());
}

function qif(payee: string, memo: string): unknown[] {
  const content = `!Type:Bank\nD31.01.2025\nT-1.00\nP${payee}\nM${memo}\n^\n`;
  return told(analyseStatements(readQif(new TextEncoder().encode(content), {}, CONTEXT), {}, CONTEXT).rows());
}

function camt(text: string, name: string): unknown[] {
  const detail = `<RltdPties><Cdtr><Nm>${name}</Nm></Cdtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  return told(rows(camtFile(camtEntry({ more: `<NtryDtls><TxDtls>${detail}</TxDtls></NtryDtls>` }))));
}

function csv(text: string, name: string): unknown[] {
  const content = `Date,Description,Payee,Amount\n2025-01-31,${text},${name},-1.00\n2025-01-30,Shop,Bert,-2.00\n2025-01-29,Bar,Cleo,-3.00\n`;
  return told(analyseCsv(new TextEncoder().encode(content), {}, CONTEXT).rows());
}

function mt940(text: string): unknown[] {
  return told(rows(mt940Statement(`:61:2501150115D1,00NTRFNONREF\n:86:${text}`)));
}

describe('the placeholder of a bank is not a text', () => {
  test.each(['NOTPROVIDED', 'notprovided', 'NOT PROVIDED', 'NONREF', 'n/a', 'N/A', '-', '--'])('%s', (nothing) => {
    expect(ofx(nothing, 'Coffee')).toEqual(['Coffee', null]);
    expect(ofx(nothing, nothing)).toEqual(['POS', null]);
    expect(qif(nothing, nothing)).toEqual(['(no description)', null]);
    expect(camt(nothing, 'Anna')).toEqual(['Anna', 'Anna']);
    expect(camt('Rent', nothing)).toEqual(['Rent', null]);
    expect(mt940(`166?00TRANSFER?20SVWZ+${nothing}?32Huber`)).toEqual(['Huber', 'Huber']);
    expect(mt940(`166?00TRANSFER?20Rent?32${nothing}`)).toEqual(['Rent', null]);
    expect(mt940(nothing)).toEqual(['NTRF', null]);
    expect(csv(nothing, 'Anna')).toEqual(['Anna', 'Anna']);
    expect(csv('Rent', nothing)).toEqual(['Rent', null]);
  });

  test.each(['0', 'Nonref Ltd', 'Not provided for', '- 5 -'])('%s is a text', (text) => {
    expect(mt940(text)).toEqual([text, null]);
    expect(camt(text, text)).toEqual([text, text]);
  });
});
