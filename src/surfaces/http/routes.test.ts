import { expect, test } from 'vitest';

import { createRoutes } from './routes.ts';

const routes = createRoutes();
const add = (url: string, ...methods: string[]): void =>
  routes.add({ url, methods, isOpen: false, handler: (_request, reply) => reply });
add('/things/:id/parts/:part', 'PUT');
add('/things/:id', 'DELETE', 'GET');
add('/things/count', 'GET', 'HEAD');
add('/things/count/parts', 'GET');
add('/things', 'GET');
add('/things', 'POST');
add('/', 'GET');

test.each([
  ['/things', '/things', {}],
  ['/things?limit=1/2', '/things', {}],
  ['/things#count', '/things', {}],
  ['/things/count', '/things/count', {}],
  ['/things/c%6funt', '/things/count', {}],
  ['/things/counts', '/things/:id', { id: 'counts' }],
  ['/things/a%2Fb', '/things/:id', { id: 'a/b' }],
  ['/things/a%2525', '/things/:id', { id: 'a%25' }],
  ['/things/', '/things/:id', { id: '' }],
  ['/things/count/parts', '/things/count/parts', {}],
  ['/things/count/parts/1', '/things/:id/parts/:part', { id: 'count', part: '1' }],
  ['http://localhost:8080/things/1', '/things/:id', { id: '1' }],
  ['http://localhost?limit=1', '/', {}],
])('%s', (url, path, params) => {
  const found = routes.find(url);
  expect([found?.path.url, found?.params]).toEqual([path, params]);
});

test.each(['/things/1/parts', '/things;x', '//things', '/thing', '*'])('%s is at no path', (url) => {
  expect(routes.find(url)).toBeUndefined();
});

test('a path has the methods of all its routes, and not those of a more general one', () => {
  const methods = (url: string): string[] => [...(routes.find(url)?.path.routes.keys() ?? [])];
  expect(methods('/things')).toEqual(['GET', 'POST']);
  expect(methods('/things/count')).toEqual(['GET', 'HEAD']);
});

test('a method of a path is served once', () => {
  expect(() => add('/things', 'GET')).toThrow('GET /things is served twice.');
});
