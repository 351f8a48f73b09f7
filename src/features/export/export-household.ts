import { instantNow } from '../../kernel/clock.ts';
import { todayIn } from '../../kernel/dates.ts';
import { householdZone } from '../config/index.ts';
import { ByteStream, handleRead, Reply } from '../handler.ts';
import { inPieces } from '../transactions/index.ts';
import { beancountFile } from './beancount-file.ts';
import { EXPORT_PARTS, exportHousehold as operation, type ExportPart } from './export.contract.ts';
import { recordFiles } from './household-files.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

export const exportHousehold = handleRead(operation, async (context, { query }) => {
  const { tx, instance } = context;
  const parts: ReadonlySet<ExportPart> = new Set(query.parts?.length ? query.parts : EXPORT_PARTS);
  const at = instantNow(instance.clock);
  const entries: ZipEntry[] = [
    { name: 'README.txt', pieces: () => readme(at, instance.version, parts) },
    ...recordFiles(context, parts),
  ];
  if (parts.has('beancount')) {
    entries.push({ name: 'household.beancount', pieces: () => inPieces(beancountFile(context)) });
  }
  const name = `homeledger-${todayIn(await householdZone(tx), instance.clock)}.zip`;
  return new Reply(new ByteStream(zipStream(entries, at), 'application/zip'), {
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });
});

/** What each part of the file has, for whoever opens it years later. */
const CONTENTS: Readonly<Record<ExportPart, string>> = {
  csv: `CSV (UTF-8, a header line, RFC 4180) and one TSV:
  transactions.csv    every transaction that is not deleted, pending ones too
  accounts.csv        accounts, also of banks that are no longer connected
  balances.csv        what banks, files and people stated that an account held at the end of a day
  categories.tsv      the tree of categories; Homeledger imports it again
  tags.csv, counterparties.csv, series.csv, comments.csv
  rules.json, account-links.json: these do not fit a table
`,
  json: `JSON, each file an array with the records of the REST API:
  transactions.json, accounts.json, balances.json, categories.json, tags.json, counterparties.json, series.json,
  comments.json, rules.json, account-links.json
`,
  beancount: `household.beancount, a book for Beancount (bean-check, Fava):
  Money out is negative on its account. Each stated balance that the rows lead to is asserted. What rows do not
  explain is in Equity:Unexplained, with a comment that says by how much. Pending rows, and rows of an account that
  shows what another one has too, are comments.
`,
};

async function* readme(at: string, version: string, parts: ReadonlySet<ExportPart>): AsyncGenerator<string> {
  yield `The household's ledger, exported by Homeledger ${version} at ${at}.

All files are from the same moment. In CSV and JSON a positive amount is money out, a negative one money in. Amounts
are exact decimals; those of different currencies are never added up. No password, key or bank login is in here.

`;
  for (const part of EXPORT_PARTS) if (parts.has(part)) yield `${CONTENTS[part]}\n`;
}
