import { instantNow } from '../../kernel/clock.ts';
import { handleRead, JsonStream, Reply } from '../handler.ts';
import { csvCell, memberTexts, type CsvValue } from './csv-text.ts';
import { inPieces, orderedJson, orderedRows, readSort } from './pages/ordered-rows.queries.ts';
import { parseFields, type FieldName } from './pages/record.queries.ts';
import { resolveFilters } from './filters/resolve-filters.ts';
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

async function* csvFile(
  records: AsyncIterable<string>,
  fields: readonly FieldName[],
  isSpreadsheetSafe: boolean,
): AsyncGenerator<string> {
  yield `${fields.map((field) => (field === 'category' ? 'category_slug,category_name' : field)).join(',')}\r\n`;
  for await (const json of records) {
    let line = '';
    for (const [index, text] of memberTexts(json).entries()) {
      const field = fields[index];
      // A cell cannot hold an object: the category becomes two cells, its slug and its name.
      const cells = field === 'category' ? categoryCells(text) : [cellOf(text)];
      for (const cell of cells) line += `${csvCell(cell, field !== 'amount', isSpreadsheetSafe)},`;
    }
    yield `${line.slice(0, -1)}\r\n`;
  }
}

function categoryCells(json: string): CsvValue[] {
  const category = JSON.parse(json) as { slug: string; name: string } | null;
  return [category?.slug ?? null, category?.name ?? null];
}

function cellOf(json: string): CsvValue {
  const isPlain = json.startsWith('"') && !json.includes('\\');
  return isPlain ? json.slice(1, -1) : (JSON.parse(json) as CsvValue);
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
