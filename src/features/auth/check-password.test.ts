import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { findPasswordFault } from './check-password.ts';
import { NewPassword } from './auth.contract.ts';

const ANA = 'ana@home.example';
const faultOf = (password: string) => findPasswordFault(password, ANA);

test('a password has 10 to 200 characters, counted as they are stored', async () => {
  const length = 'must have 10 to 200 characters';
  // The ligature is one character that normalises to two.
  const [nine, ten] = ['ﬁﬁﬁﬁx', 'ﬁﬁﬁﬁﬁ'];
  for (const password of ['', 'abc123xyz', nine, 'é'.normalize('NFD').repeat(9), 'x'.repeat(201)]) {
    expect([password, await faultOf(password)]).toEqual([password, length]);
    expect(NewPassword.safeParse(password).error?.issues[0]?.message).toBe(length);
  }
  for (const password of ['😀😁😂🤣😃😄😅😆😉😊', ten, 'ü'.repeat(200), 'a b c d e f', ' '.repeat(12)]) {
    expect([password, await faultOf(password)]).toEqual([password, undefined]);
    expect(NewPassword.safeParse(password).success).toBe(true);
  }
});

test('a password is neither the identifier nor a common one, in any case of letters', async () => {
  expect(await faultOf(ANA)).toContain('must not be the email address');
  expect(await faultOf('ANA@Home.Example')).toContain('must not be the email address');
  for (const password of [
    '1234567890',
    'QwertyUIOP',
    'Password123',
    'ＰＡＳＳＷＯＲＤ１２３',
    'aaaaaaaaaa',
    'Sommer2026!',
  ]) {
    expect([password, await faultOf(password)]).toEqual([password, expect.stringContaining('too common')]);
  }
  for (const password of ['# copyright (c) 2021 @zxcvbn-ts', 'qwertyuiop\n1234567890', 'my qwertyuiop is mine']) {
    expect([password, await faultOf(password)]).toEqual([password, undefined]);
  }
});

test('the list has thousands of entries, each in the form that passwords are compared in', () => {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  const listed = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(listed.length).toBeGreaterThan(5_000);
  expect(new Set(listed).size).toBe(listed.length);
  const odd = listed.filter((one) => one !== one.normalize('NFKC').toLowerCase() || [...one].length < 10);
  expect(odd).toEqual([]);
});
