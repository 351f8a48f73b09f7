import fc from 'fast-check';
import { expect, test } from 'vitest';

import { linkTarget } from './link-target.ts';
import { TooIntricate, toDocument, type Block, type Inline } from './markdown-document.ts';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]): Block => ({ type: 'paragraph', children });
const external = (href: string, host: string) => ({ kind: 'external', href, host }) as const;
const oneLine = (source: string): Inline[] => {
  const [block] = toDocument(source);
  return block?.type === 'paragraph' ? block.children : [];
};

test.each([
  ['https://bank.example/a?b#c', external('https://bank.example/a?b#c', 'bank.example')],
  ['HTTP://Bank.Example:8080', external('http://bank.example:8080/', 'bank.example:8080')],
  ['https://bаnk.example', external('https://xn--bnk-6cd.example/', 'xn--bnk-6cd.example')],
  ['mailto:ana@home.example', external('mailto:ana@home.example', 'ana@home.example')],
  ['/transactions/Tx9kLm2P', { kind: 'transaction', id: 'Tx9kLm2P' }],
  [
    '/transactions/019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
    { kind: 'transaction', id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4' },
  ],
  ['/connections?x=1#y', { kind: 'page', path: '/connections?x=1#y' }],
  ['/reports/Rp0rT9xZ', { kind: 'page', path: '/reports/Rp0rT9xZ' }],
])('%s is a link', (url, target) => {
  expect(linkTarget(url)).toEqual(target);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://bank.example/1',
  'file:///etc/passwd',
  'https://',
  'https://bank.example@evil.example/',
  '//evil.example/reports',
  '/\\evil.example/reports',
  '/\t/evil.example/reports',
  '\\\\evil.example',
  'reports',
  '?x=1',
  '#top',
  '',
  '/api/v1/reports',
  '/../api/v1/keys',
  '/nowhere',
  '/transactions/../login',
  '/login?next=/reports',
  '/auth/device?user_code=ABCD-EFGH',
  '/internal/components',
])('%j is no link', (url) => {
  expect(linkTarget(url)).toBeNull();
});

test('what is allowed becomes what it means', () => {
  const source = [
    '# One *two* ~~three~~ `four`',
    '> quote',
    '',
    '3. third\n4. fourth',
    '',
    '- [x] done\n- [ ] open',
    '',
    '| a | b |\n|:--|--:|\n| 1 |\n| 2 | 3 | 4 |',
    '',
    '```js\nalert(1)\n```',
    '',
    '---',
    'hard  \nbreak',
  ].join('\n');
  expect(toDocument(source)).toEqual([
    {
      type: 'heading',
      level: 2,
      children: [
        text('One '),
        { type: 'emphasis', children: [text('two')] },
        text(' '),
        { type: 'delete', children: [text('three')] },
        text(' '),
        { type: 'code', text: 'four' },
      ],
    },
    { type: 'quote', children: [paragraph(text('quote'))] },
    {
      type: 'list',
      start: 3,
      items: [
        { isDone: null, children: [paragraph(text('third'))] },
        { isDone: null, children: [paragraph(text('fourth'))] },
      ],
    },
    {
      type: 'list',
      start: null,
      items: [
        { isDone: true, children: [paragraph(text('done'))] },
        { isDone: false, children: [paragraph(text('open'))] },
      ],
    },
    {
      type: 'table',
      align: ['left', 'right'],
      rows: [
        [[text('a')], [text('b')]],
        [[text('1')], []],
        [[text('2')], [text('3')]],
      ],
    },
    { type: 'code', text: 'alert(1)' },
    { type: 'rule' },
    paragraph(text('hard'), { type: 'break' }, text('break')),
  ]);
});

test('HTML is text, images are links, and links that may lead nowhere are their text', () => {
  const link = (href: string, host: string, ...children: Inline[]): Inline => ({
    type: 'link',
    target: external(href, host),
    children,
  });
  for (const [source, expected] of [
    ['a <b onclick=x>b</b>', [text('a '), text('<b onclick=x>'), text('b'), text('</b>')]],
    ['[x](javascript:alert(1))', [text('x')]],
    ['[x](&#106;avascript&colon;alert(1))', [text('x')]],
    ['<javascript:alert(1)>', [text('javascript:alert(1)')]],
    ['![p](data:image/png;base64,AAAA)', [text('p')]],
    ['![](https://a.example/p.png)', [link('https://a.example/p.png', 'a.example', text('Image'))]],
    ['[![p](https://a.example/p.png)](https://b.example/)', [link('https://b.example/', 'b.example', text('p'))]],
    ['[a](https://a.example/ "title")', [link('https://a.example/', 'a.example', text('a'))]],
    ['<https://a.example/x>', [link('https://a.example/x', 'a.example', text('https://a.example/x'))]],
    ['https://a.example/x', [text('https://a.example/x')]],
    ['[a][r]\n\n[r]: https://a.example/\n[r]: javascript:x', [link('https://a.example/', 'a.example', text('a'))]],
    ['[a][r]\n\n> [r]: javascript:x', [text('a')]],
    ['![a][r]\n\n[r]: https://a.example/', [link('https://a.example/', 'a.example', text('a'))]],
  ] as const) {
    expect([source, oneLine(source)]).toEqual([source, expected]);
  }
  expect(toDocument('<script>\nalert(1)\n</script>')).toEqual([
    { type: 'source', text: '<script>\nalert(1)\n</script>' },
  ]);
});

test('headings come below that of the page, and leave out no level', () => {
  const levels = (source: string) =>
    toDocument(source).flatMap((block) => (block.type === 'heading' ? [block.level] : []));
  expect(levels('## a\n\n## b\n\n#### c\n\n## d')).toEqual([2, 2, 3, 2]);
  expect(levels('### a\n\n# b\n\n###### c')).toEqual([2, 2, 3]);
  expect(levels('# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f')).toEqual([2, 3, 4, 5, 6, 6]);
});

test('what is nested too deeply is shown as text, and nothing of it is lost', () => {
  const depthOf = (value: unknown): number =>
    value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
  for (const source of ['>'.repeat(300), '- '.repeat(300), `${'*a **b '.repeat(200)}${'** *'.repeat(200)}`]) {
    const blocks = toDocument(`${source} inside`);
    expect(JSON.stringify(blocks)).toContain('inside');
    expect(depthOf(blocks)).toBeLessThan(200);
  }
});

test('a text of too many parts is refused', () => {
  expect(() => toDocument('a\\\n'.repeat(10_100))).toThrow(TooIntricate);
});

test('whatever the text, nothing is shown but what the document allows', () => {
  const markup =
    '<script> <img/onerror=x> [a]( javascript:x ) ![ ] ]( &#106; \\ ` | *** ~~ <a:b> \u202e \0 \ud800 text';
  const lines = ['\n', '> ', '- [x] ', '1. ', '# ', '[r]: /reports\n', '  '];
  const parts = fc.constantFrom(...markup.split(' ').concat(lines));
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (list) => {
      const json = JSON.stringify(toDocument(list.join('')));
      for (const [, href] of json.matchAll(/"(?:href|path)":"([^"]*)"/g)) expect(href).toMatch(/^(https?:|mailto:|\/)/);
      for (const [, type] of json.matchAll(/"type":"([^"]*)"/g)) {
        expect(type).toMatch(
          /^(paragraph|source|heading|quote|list|code|rule|table|text|break|strong|emphasis|delete|link)$/,
        );
      }
    }),
  );
});
