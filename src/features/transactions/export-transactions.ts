import { instantNow } from '../../kernel/clock.ts';
import { handleRead, JsonStream, Reply } from '../handler.ts';
import { csvCell, type CsvValue } from './csv-line.ts';
import { orderedJson, orderedRows } from './ordered-rows.queries.ts';
import { inPieces } from './pieces.ts';
import { parseFields, type FieldName } from './fields.ts';
import { resolveFilters } from './resolve-filters.ts';
import { readSort } from './sorting.ts';
import { exportTransactions as operation } from './transaction-reports.contract.ts';

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json; charset=utf-8',
} as const;

export const exportTransactions = handleRead(operation, async ({ tx, instance }, { query }) => {
  const { sort, order } = readSort(query, () => 'asc');
  const fields = parseFields(query.fields);
  const filters = await resolveFilters(tx, query, 'include');
  const records = orderedJson(tx, await orderedRows(tx, filters, sort, order), fields);
  const file = {
    csv: () => csvFile(records, fields, query.spreadsheet_safe),
    ndjson: () => lines(records),
    json: () => array(records),
  }[query.format]();
  const name = `transactions-${instantNow(instance.clock).slice(0, 10)}.${query.format}`;
  return new Reply(new JsonStream(inPieces(file), CONTENT_TYPES[query.format]), {
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });
});

type CsvRecord = Readonly<Record<string, CsvValue>>;

async function* csvFile(
  records: AsyncIterable<string>,
  fields: readonly FieldName[],
  isSpreadsheetSafe: boolean,
): AsyncGenerator<string> {
  const columns = fields.flatMap(columnsOf);
  yield `${columns.map(({ name }) => name).join(',')}\r\n`;
  for await (const json of records) {
    const record = JSON.parse(json) as CsvRecord;
    let line = '';
    for (const { valueOf, isText } of columns) line += `${csvCell(valueOf(record), isText, isSpreadsheetSafe)},`;
    yield `${line.slice(0, -1)}\r\n`;
  }
}

interface Column {
  name: string;
  isText: boolean;
  valueOf: (record: CsvRecord) => CsvValue;
}

/** One column per field; the category becomes its slug and its name, because a cell holds no object. */
function columnsOf(field: FieldName): Column[] {
  if (field !== 'category') {
    return [{ name: field, isText: field !== 'amount', valueOf: (record) => record[field] ?? null }];
  }
  return (['slug', 'name'] as const).map((part) => ({
    name: `category_${part}`,
    isText: true,
    valueOf: ({ category }) => (category as Record<string, string> | null)?.[part] ?? null,
  }));
}

async function* lines(records: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const json of records) yield `${json}\n`;
}

async function* array(records: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  for await (const json of records) {
    yield before + json;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
