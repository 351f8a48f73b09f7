import { expect, test } from 'vitest';

import { createServedPaths, type ServedPath } from './served-paths.ts';

const paths = createServedPaths();
const served = (url: string, ...methods: string[]): ServedPath => {
  const path = { url, methods, isOpen: false };
  paths.add(path);
  return path;
};
const child = served('/things/:id/parts/:part', 'PUT');
const one = served('/things/:id', 'DELETE', 'GET');
const count = served('/things/count', 'GET', 'HEAD');
const list = served('/things', 'GET');

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
  expect(paths.find(url)?.url).toBe(known?.url);
});

test('a path that lies below a general one is named with the methods that only the general one takes', () => {
  const overlaps = paths.overlaps().map(({ path, methods }) => [path.url, methods]);
  expect(overlaps).toEqual([[count.url, ['DELETE']]]);
});
