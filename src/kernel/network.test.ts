import { BlockList } from 'node:net';

import { assert, constantFrom, ipV4, ipV6, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { classOfAddress, countedAddress, isCovered, isHomeHost, parseTrustedProxies, plainAddress } from './network.ts';

describe('trusted proxies', () => {
  test('are addresses, blocks and two names', () => {
    const list = trusting('192.0.2.1, 198.51.100.0/24,2001:db8::/32, loopback ,private');
    for (const inside of [
      '192.0.2.1',
      '198.51.100.77',
      '2001:db8:1::1',
      '127.3.2.1',
      '::1',
      '10.1.1.1',
      '172.31.0.1',
      '192.168.9.9',
      'fd00::1',
      'fe80::1%eth0',
      '::ffff:198.51.100.7',
      '::ffff:c633:6407',
      '169.254.1.1',
    ]) {
      expect([inside, isCovered(list, inside)]).toEqual([inside, true]);
    }
    for (const outside of [
      '192.0.2.2',
      '198.51.101.1',
      '2001:db9::1',
      '172.32.0.1',
      '11.0.0.1',
      '::2',
      '',
      'localhost',
      '127.1',
    ]) {
      expect([outside, isCovered(list, outside)]).toEqual([outside, false]);
    }
  });

  test('are never everybody, and never anything else', () => {
    for (const text of [
      'all',
      'true',
      '*',
      '0.0.0.0/0',
      '::/0',
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0',
      'box.lan',
      '2001:db8::/129',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0.0.0/ 8',
    ]) {
      expect([text, parseTrustedProxies(text) instanceof BlockList]).toEqual([text, false]);
      expect(parseTrustedProxies(`127.0.0.1,${text}`)).toEqual({ invalid: text });
    }
  });
});

describe('addresses', () => {
  test('mapped into IPv6 are IPv4, however they are written', () => {
    for (const address of [
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '::FFFF:192.0.2.1',
      '::ffff:c000:201',
      '0:0:0:0:0:ffff:c000:0201',
    ]) {
      expect([address, plainAddress(address), countedAddress(address)]).toEqual([address, '192.0.2.1', '192.0.2.1']);
    }
    expect(plainAddress('fe80::1%eth0')).toBe('fe80::1');
  });

  test('of IPv6 count by their /64, however they are written', () => {
    for (const address of [
      '2001:db8::1',
      '2001:DB8:0:0:1:2:3:4',
      '2001:0db8:0000::',
      '2001:db8::ffff:ffff:ffff:ffff',
    ]) {
      expect(countedAddress(address)).toBe('2001:db8:0:0::/64');
    }
    expect(countedAddress('::1')).toBe('0:0:0:0::/64');
    assert(
      property(ipV6(), ipV6(), (a, b) => {
        if (countedAddress(a).includes('.') || countedAddress(b).includes('.')) return;
        const block = new BlockList();
        block.addSubnet(a, 64, 'ipv6');
        expect(countedAddress(a) === countedAddress(b)).toBe(block.check(b, 'ipv6'));
      }),
    );
    assert(
      property(ipV6(), (a) => {
        expect(countedAddress(a)).toBe(countedAddress(a.toUpperCase()));
      }),
    );
    assert(
      property(ipV4(), (a) => {
        expect(countedAddress(a)).toBe(a);
      }),
    );
  });
});

describe('hosts of a home network', () => {
  test('may be reached without TLS', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.9.9.9',
      '[::1]',
      '10.0.0.5',
      '192.168.1.2',
      '172.16.0.1',
      '[fd00::1]',
      '[fe80::1]',
      'box',
      'box.local',
      'box.lan',
      'a.home.arpa',
      'x.internal',
      'y.localhost',
      'nas.tail1234.ts.net',
      '100.64.0.1',
      '100.127.255.254',
    ]) {
      expect([host, isHomeHost(host)]).toEqual([host, true]);
    }
  });

  test('are never names or addresses of the open network', () => {
    for (const host of [
      'home.example',
      '8.8.8.8',
      '127.evil.example',
      '127.0.0.1.nip.io',
      '172.32.0.1',
      '[2001:db8::1]',
      'evil.local.example',
      'nas.ts.net.example',
      '100.63.255.255',
      '100.128.0.1',
      '10.0.0.1.example',
    ]) {
      expect([host, isHomeHost(host)]).toEqual([host, false]);
    }
    assert(
      property(string(), constantFrom('.example', '.com'), (name, end) => {
        expect(isHomeHost(name + end)).toBe(false);
      }),
    );
  });
});

function trusting(text: string): BlockList {
  const list = parseTrustedProxies(text);
  if ('invalid' in list) throw new Error(list.invalid);
  return list;
}

const CLASSES = {
  public: `
    1.1.1.1 8.8.8.8 93.184.216.34 172.15.255.255 172.32.0.1 100.63.0.1 223.255.255.255
    2606:4700:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1`,
  private: `
    127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
    100.64.0.1 192.0.2.1 198.18.0.1 224.0.0.1 239.255.255.250 255.255.255.255 ::1 :: [::1] fc00::1
    fd12:3456::1 ff02::1 fec0::1 100::1 2001:db8::1 4000::1 ::ffff:127.0.0.1 ::ffff:7f00:1
    0:0:0:0:0:ffff:10.1.2.3 [::ffff:192.168.0.1] ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1
    64:ff9b:1::808:808 2002:7f00:1:: ::ffff:0:10.0.0.1 2001:0:5ef5:79fd::1 ::8.8.8.8`,
  never: `
    169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16 fe80::1 fe80::1%eth0 febf::1
    fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: 64:ff9b:1::a9fe:a9fe
    ::ffff:0:169.254.169.254 ::169.254.169.254 home.example 1.2.3 0x7f.1 127.1`,
} as const;

test.each(['public', 'private', 'never'] as const)('addresses are known as %s in every form', (name) => {
  const addresses = CLASSES[name].trim().split(/\s+/);
  expect(addresses.map((address) => [address, classOfAddress(address)])).toEqual(
    addresses.map((address) => [address, name]),
  );
  expect(classOfAddress('')).toBe('never');
});
