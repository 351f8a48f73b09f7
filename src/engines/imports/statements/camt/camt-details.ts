import { currencyOf } from '../../lexicon/currency.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import type { CamtNode } from './camt-node.ts';
import { collapsed, said } from '../../text/cell-text.ts';
import { readAmount } from '../statement-amounts.ts';

/** One side of a payment as a detail names it. */
export interface Party {
  readonly name: string;
  readonly account: string;
}

/** What we keep of a TxDtls. */
export interface CamtDetail {
  /** Its amounts in order of preference: the first in the entry's currency counts. */
  readonly amounts: readonly { readonly currency: string; readonly cents: number }[];
  /** CRDT or DBIT; '' where it follows the entry. */
  readonly mark: string;
  readonly creditor: Party;
  readonly debtor: Party;
  /** RmtInf/Ustrd, else the creditor's reference, else AddtlTxInf. */
  readonly text: string;
  readonly servicerReference: string;
  readonly checkNumber: string;
  readonly typeCode: string;
  readonly isReturn: boolean;
  readonly fields: Readonly<Record<string, string>>;
}

const AMOUNTS = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt', 'AmtDtls/InstdAmt/Amt'];

const NOBODY: Party = { name: '', account: '' };

export function readDetail(node: CamtNode): CamtDetail {
  const amounts = AMOUNTS.flatMap((path) => {
    const found = node.find(path);
    const { cents } = found ? readAmount(found.text, '.') : { cents: null };
    return found && cents !== null ? [{ currency: currencyOf(found.attributes['Ccy'] ?? '') ?? '', cents }] : [];
  });
  return {
    amounts,
    mark: node.first('CdtDbtInd'),
    creditor: party(node, 'Cdtr'),
    debtor: party(node, 'Dbtr'),
    text: remittance(node),
    servicerReference: node.first('Refs/AcctSvcrRef'),
    checkNumber: node.first('Refs/ChqNb'),
    typeCode: typeCodeOf(node),
    isReturn: node.find('RtrInf') !== undefined,
    fields: node.flatten(LIMITS.importEntryFieldChars, 'TxDtls/'),
  };
}

function party(node: CamtNode, role: 'Cdtr' | 'Dbtr'): Party {
  const parties = node.find('RltdPties');
  if (!parties) return NOBODY;
  const names = [role, `Ultmt${role}`].flatMap((one) => [`${one}/Nm`, `${one}/Pty/Nm`, `${one}/Agt/FinInstnId/Nm`]);
  return {
    name: said(parties.first(...names)),
    account: parties
      .first(`${role}Acct/Id/IBAN`, `${role}Acct/Id/Othr/Id`, `${role}Acct/Id/PrtryAcct/Id`)
      .replaceAll(/\s/g, ''),
  };
}

function remittance(node: CamtNode): string {
  const free = texts(node, 'RmtInf/Ustrd');
  if (free !== '') return free;
  const reference = said(node.first('RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/CdtrRefInf/CdtrRef'));
  return reference || texts(node, 'RmtInf/Strd/AddtlRmtInf') || texts(node, 'AddtlTxInf');
}

/** All texts at a path, joined by one space. */
export function texts(node: CamtNode, path: string): string {
  return collapsed(
    node
      .all(path)
      .map((one) => said(one.text))
      .join(' '),
  );
}

/** The bank's transaction code: its own, else the three parts of the ISO one. */
export function typeCodeOf(node: CamtNode): string {
  const own = node.first('BkTxCd/Prtry/Cd');
  const parts = ['BkTxCd/Domn/Cd', 'BkTxCd/Domn/Fmly/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd'].map((path) => node.first(path));
  return own || parts.filter((part) => part !== '').join('/');
}
