import { expect, test } from 'vitest';

import { createKnownPaths } from './known-paths.ts';

const takes = (...methods: string[]) => ({ takes: new Set(methods), isOpen: false });
const paths = createKnownPaths();
const list = takes('GET');
const count = takes('GET', 'HEAD');
const one = takes('DELETE');
const child = takes('PUT');
paths.add('/things', list);
paths.add('/things/count', count);
paths.add('/things/:id', one);
paths.add('/things/:id/parts/:part', child);

test.each([
  ['/things', list],
  ['/things?limit=1/2', list],
  ['/things#count', list],
  ['/things/count', count],
  ['/things/c%6funt', count],
  ['/things/counts', one],
  ['/things/a%2Fb', one],
  ['/things/count/parts/1', child],
  ['/things/', undefined],
  ['/things//parts/1', undefined],
  ['/things/1/parts', undefined],
  ['/things;x', undefined],
  ['/', undefined],
  ['', undefined],
])('%s', (url, known) => {
  expect(paths.find(url)).toBe(known);
});
