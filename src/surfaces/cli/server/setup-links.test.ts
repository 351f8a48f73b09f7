import { expect, test } from 'vitest';

import { basesOf, setupInvitation } from './setup-links.ts';

const common = { netmask: '', mac: '', cidr: null };
const interfaces = {
  lo: [{ ...common, address: '127.0.0.1', family: 'IPv4' as const, internal: true }],
  eth0: [
    { ...common, address: '192.168.1.5', family: 'IPv4' as const, internal: false },
    { ...common, address: 'fd00::5', family: 'IPv6' as const, internal: false, scopeid: 0 },
    { ...common, address: 'fe80::5', family: 'IPv6' as const, internal: false, scopeid: 2 },
  ],
};
const at = (host: string, baseUrl: string | null = null) => basesOf({ host, baseUrl, port: '8080', interfaces });

test('a link leads to where a browser may reach the service', () => {
  expect(at('127.0.0.1')).toEqual(['http://127.0.0.1:8080']);
  expect(at('::1')).toEqual(['http://[::1]:8080']);
  expect(at('nas')).toEqual(['http://nas:8080']);
  expect(at('0.0.0.0')).toEqual(['http://localhost:8080', 'http://192.168.1.5:8080']);
  expect(at('::')).toEqual(['http://localhost:8080', 'http://192.168.1.5:8080', 'http://[fd00::5]:8080']);
  expect(at('0.0.0.0', 'https://home.example')).toEqual(['https://home.example']);
});

test('what is printed has every link, and says how the token gets to another address', () => {
  const text = setupInvitation({ host: '0.0.0.0', baseUrl: null, port: '8080', interfaces }, 'abc');
  expect(text.split('\n')).toEqual([
    'Set up your household in a browser within 24 hours. Open one of these:',
    '  http://localhost:8080/setup?token=abc',
    '  http://192.168.1.5:8080/setup?token=abc',
    'At any other address of this machine, open /setup and enter the token: the part after "token=".',
    '',
  ]);
});
