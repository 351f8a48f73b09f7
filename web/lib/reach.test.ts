import { expect, test } from 'vitest';

import { troubleWith } from './reach.ts';

const REACH = { atHome: ['http://192.168.1.20:8080'], links: 'http://localhost:8080' };

test('an address is doubted where this server knows better, and never where a proxy may answer', () => {
  const doubts = (address: string, atHome = REACH.atHome) => troubleWith(address, { ...REACH, atHome });
  for (const address of ['http://localhost:8080', 'http://127.0.0.1:8080', 'https://localhost']) {
    expect(doubts(address)).toBe('only here');
  }
  for (const address of [
    'http://192.168.1.99:8080',
    'http://192.168.1.20',
    'http://ledger.local',
    'http://[fd00::1]:8080',
  ])
    expect([address, doubts(address)]).toEqual([address, 'not here']);
  for (const address of ['http://192.168.1.20:8080', 'http://ledger.local:8080', 'https://money.example', '', 'money'])
    expect([address, doubts(address)]).toEqual([address, undefined]);
  expect(doubts('http://192.168.1.20:8080', [])).toBe('not here');
});
