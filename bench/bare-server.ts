import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

/**
 * The yardstick: node:http and node:sqlite with one prepared statement, producing the bytes of a page.
 * Started with the database file, the statement and its parameters as JSON.
 */
const [file = '', statement = '', parameters = '[]', tail = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });
database.exec('pragma cache_size = -8192');
const page = database.prepare(statement);
const values = JSON.parse(parameters) as (string | number)[];

const server = createServer((_request, response) => {
  const rows = page.all(...values) as { json: string }[];
  const body = `{"transactions":[${rows
    .slice(0, 50)
    .map((row) => row.json)
    .join(',')}]${tail}`;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : ''}\n`);
});
process.once('SIGTERM', () => server.close(() => process.exit(0)));
