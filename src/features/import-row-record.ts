/** What an import row stores besides its columns, in this order. Short, because every record of a file has one. */
type Stored = [
  accountId: string | null,
  date: string | null,
  authorizedDate: string | null,
  amountCents: number | null,
  currency: string | null,
  description: string,
  merchantName: string | null,
  balanceCents: number | null,
  pending: 0 | 1,
  message: string | null,
  raw: string | null,
  besideId?: string | null,
  datetime?: string,
];

/** The same by name. Older records never say a time. */
export interface StoredRecord {
  readonly accountId: string | null;
  readonly date: string | null;
  readonly authorizedDate: string | null;
  readonly datetime: string | null;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly description: string;
  readonly merchantName: string | null;
  readonly balanceCents: number | null;
  readonly pending: boolean;
  readonly message: string | null;
  readonly raw: string | null;
  readonly besideId: string | null;
}

export function packRecord(record: StoredRecord): string {
  const stored: Stored = [
    record.accountId,
    record.date,
    record.authorizedDate,
    record.amountCents,
    record.currency,
    record.description,
    record.merchantName,
    record.balanceCents,
    record.pending ? 1 : 0,
    record.message,
    record.raw,
  ];
  if (record.besideId !== null || record.datetime !== null) stored.push(record.besideId);
  if (record.datetime !== null) stored.push(record.datetime);
  return JSON.stringify(stored);
}

export function unpackRecord(text: string): StoredRecord {
  const stored = JSON.parse(text) as Stored;
  const [accountId, date, authorizedDate, amountCents, currency, description, merchantName, balanceCents] = stored;
  const [pending, message, raw, besideId = null, datetime = null] = stored.slice(8) as [
    0 | 1,
    string | null,
    string | null,
    (string | null)?,
    string?,
  ];
  return {
    accountId,
    date,
    authorizedDate,
    datetime,
    amountCents,
    currency,
    description,
    merchantName,
    balanceCents,
    pending: pending === 1,
    message,
    raw,
    besideId,
  };
}
