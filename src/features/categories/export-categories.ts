import { handleRead, JsonStream, Reply } from '../handler.ts';
import { exportCategories as operation } from './category-moves.contract.ts';
import { selectCategories } from './categories.queries.ts';
import { inTreeOrder, toCategory } from './categories.table.ts';
import { formatTsv } from './category-tsv.ts';

export const exportCategories = handleRead(operation, async ({ tx }) => {
  const text = formatTsv(inTreeOrder(await selectCategories(tx)).map(toCategory));
  return new Reply(new JsonStream(onePiece(text), 'text/tab-separated-values; charset=utf-8'), {
    headers: { 'content-disposition': 'attachment; filename="categories.tsv"' },
  });
});

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}
