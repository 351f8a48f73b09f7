/** OFX files, made piece by piece. */

export interface OfxEntry {
  readonly id: string;
  readonly date: string;
  /** As the bank prints it: negative = money out. */
  readonly amount: string;
  readonly text: string;
  readonly corrects?: readonly ['REPLACE' | 'DELETE', string];
}

export interface OfxStatement {
  readonly account?: string;
  /** `CREDITCARD`, or a type of bank account. */
  readonly type?: string;
  readonly currency?: string;
  /** Closing balance and its day. */
  readonly closing?: readonly [string, string];
  readonly available?: string;
  readonly entries: readonly OfxEntry[];
}

export function ofxFile(...statements: readonly OfxStatement[]): string {
  const head = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>';
  const signOn =
    '<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><FI><ORG>First Bank<FID>1</FI></SONRS></SIGNONMSGSRSV1>';
  return `${head}${signOn}${statements.map(statement).join('')}</OFX>`;
}

function statement({
  account = '98765432',
  type = 'CHECKING',
  currency = 'EUR',
  closing,
  available,
  entries,
}: OfxStatement): string {
  const isCard = type === 'CREDITCARD';
  const [set, answer, body, from] = isCard
    ? ['CREDITCARDMSGSRSV1', 'CCSTMTTRNRS', 'CCSTMTRS', `<CCACCTFROM><ACCTID>${account}</CCACCTFROM>`]
    : [
        'BANKMSGSRSV1',
        'STMTTRNRS',
        'STMTRS',
        `<BANKACCTFROM><BANKID>111<ACCTID>${account}<ACCTTYPE>${type}</BANKACCTFROM>`,
      ];
  const balances = [
    closing ? `<LEDGERBAL><BALAMT>${closing[0]}<DTASOF>${short(closing[1])}</LEDGERBAL>` : '',
    available === undefined
      ? ''
      : `<AVAILBAL><BALAMT>${available}<DTASOF>${short(closing?.[1] ?? '20260101')}</AVAILBAL>`,
  ].join('');
  const list = `<BANKTRANLIST>${entries.map(entry).join('\n')}</BANKTRANLIST>`;
  const status = '<STATUS><CODE>0<SEVERITY>INFO</STATUS>';
  return `<${set}><${answer}>${status}<${body}><CURDEF>${currency}\n${from}${list}${balances}</${body}></${answer}></${set}>`;
}

function entry({ id, date, amount, text, corrects }: OfxEntry): string {
  const type = amount.startsWith('-') ? 'DEBIT' : 'CREDIT';
  const correction = corrects ? `<CORRECTFITID>${corrects[1]}<CORRECTACTION>${corrects[0]}` : '';
  return `<STMTTRN><TRNTYPE>${type}<DTPOSTED>${short(date)}<TRNAMT>${amount}<FITID>${id}${correction}<NAME>${text}</STMTTRN>`;
}

function short(date: string): string {
  return date.replaceAll('-', '');
}
