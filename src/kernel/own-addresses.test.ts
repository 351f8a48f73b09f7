import { expect, test } from 'vitest';

import { addressesForOthers, type Interfaces } from './own-addresses.ts';

const card = (address: string, more: object = {}) => ({
  address,
  family: address.includes(':') ? 'IPv6' : 'IPv4',
  internal: false,
  scopeid: 0,
  ...more,
});
const INTERFACES = {
  lo: [card('127.0.0.1', { internal: true }), card('::1', { internal: true })],
  eth0: [card('192.168.1.20'), card('fd00::20'), card('fe80::1', { scopeid: 2 })],
} as unknown as Interfaces;

test('other devices reach every address of the home network on which the service listens', () => {
  const at = (host: string): string[] => addressesForOthers({ host, port: '8080' }, INTERFACES);
  expect(at('0.0.0.0')).toEqual(['http://192.168.1.20:8080']);
  expect(at('::')).toEqual(['http://192.168.1.20:8080', 'http://[fd00::20]:8080']);
  expect(at('192.168.1.20')).toEqual(['http://192.168.1.20:8080']);
  for (const host of ['127.0.0.1', '::1', 'localhost']) expect(at(host)).toEqual([]);
});
