import type { BlockList } from 'node:net';

import { array, assert, ipV4, property } from 'fast-check';
import { expect, test } from 'vitest';

import { isCovered, parseTrustedProxies } from '../../kernel/network.ts';
import { clientOf } from './client-address.ts';

const PROXIES = trusting('10.0.0.0/8, loopback, 2001:db8:ffff::/48');

test('without a trusted proxy only the socket’s peer counts', () => {
  const headers = {
    host: 'box.lan:8080',
    'x-forwarded-for': '203.0.113.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'for=203.0.113.2',
    'x-real-ip': '203.0.113.3',
  };
  const plain = { address: '192.0.2.1', origin: 'http://box.lan:8080', isForwardingIgnored: true };
  expect(clientOf('192.0.2.1', headers, null)).toEqual(plain);
  expect(clientOf('::ffff:192.0.2.1', headers, PROXIES)).toEqual(plain);
  expect(clientOf('10.0.0.1', headers, null).address).toBe('10.0.0.1');
});

test('behind trusted proxies the nearest address that is none counts', () => {
  for (const [chain, address] of [
    ['198.51.100.1', '198.51.100.1'],
    ['203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['203.0.113.9, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['203.0.113.9,198.51.100.1 ,10.2.3.4,  127.0.0.1', '198.51.100.1'],
    ['2001:db8:1::5, 2001:db8:ffff::1', '2001:db8:1::5'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['10.2.3.4, 10.2.3.5', '10.2.3.4'],
    ['198.51.100.1, nonsense, 10.2.3.4', '10.2.3.4'],
    ['198.51.100.1, unknown', '10.0.0.1'],
    ['198.51.100.1:4711', '10.0.0.1'],
    ['', '10.0.0.1'],
    [undefined, '10.0.0.1'],
  ] as const) {
    expect([chain, clientOf('10.0.0.1', { host: 'h', 'x-forwarded-for': chain }, PROXIES).address]).toEqual([
      chain,
      address,
    ]);
  }
  const repeated = { host: 'h', 'x-forwarded-for': ['203.0.113.9', '198.51.100.1, 10.2.3.4'] };
  expect(clientOf('::1', repeated, PROXIES).address).toBe('198.51.100.1');
});

test('scheme and host are those the nearest proxy saw', () => {
  const origin = (headers: Record<string, string>) => clientOf('10.0.0.1', { host: 'box', ...headers }, PROXIES).origin;
  expect(origin({})).toBe('http://box');
  expect(origin({ 'x-forwarded-proto': 'https' })).toBe('https://box');
  expect(origin({ 'x-forwarded-proto': 'http, https' })).toBe('https://box');
  expect(origin({ 'x-forwarded-proto': 'https, http' })).toBe('http://box');
  expect(origin({ 'x-forwarded-proto': 'javascript' })).toBe('http://box');
  expect(origin({ 'x-forwarded-host': 'a.example, home.example' })).toBe('http://home.example');
});

test('a forwarded host that is no host[:port] counts as absent', () => {
  const origin = (host: string) => clientOf('10.0.0.1', { host: 'box', 'x-forwarded-host': host }, PROXIES).origin;
  for (const host of ['home.example', 'home.example:8443', '192.0.2.7:80', '[2001:db8::1]:8080', 'my_nas'])
    expect(origin(host)).toBe(`http://${host}`);
  for (const none of [
    'evil.example/path',
    'evil.example?a',
    'evil.example#a',
    'me@evil.example',
    'https://evil.example',
    'evil .example',
    'a:99999',
    'a:b',
    ':80',
    '[::1',
    '[::g]',
    '256.1.1.1',
    '"evil"',
    'home.example, evil/',
  ])
    expect([none, origin(none)]).toEqual([none, 'http://box']);
});

test('what a client puts in front never changes the address', () => {
  assert(
    property(array(ipV4(), { maxLength: 5 }), ipV4(), (forged, real) => {
      const chain = [...forged, real, '10.9.9.9'].join(', ');
      const { address } = clientOf('10.0.0.1', { host: 'h', 'x-forwarded-for': chain }, PROXIES);
      if (!isCovered(PROXIES, real)) expect(address).toBe(real);
    }),
  );
});

function trusting(text: string): BlockList {
  const list = parseTrustedProxies(text);
  if ('invalid' in list) throw new Error(list.invalid);
  return list;
}
