import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { AccountCandidate, AccountsToPlan, ReportedAccount } from './accounts-plan.ts';
import { planAccounts } from './plan-accounts.ts';

const BANK = { id: 'ins_1', name: 'First Platypus Bank' };

function reported(over: Partial<ReportedAccount> = {}): ReportedAccount {
  const base = { externalId: 'e1', persistentId: null, name: 'Checking', officialName: null, institution: null };
  return { ...base, type: 'depository', subtype: 'checking', mask: '0000', ...over };
}

function candidate(over: Partial<AccountCandidate> = {}): AccountCandidate {
  return {
    id: 'a1',
    source: 'former',
    provider: 'plaid',
    institution: BANK,
    persistentId: null,
    name: 'Checking',
    officialName: null,
    type: 'depository',
    subtype: 'checking',
    mask: '0000',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

function plan(
  accounts: readonly ReportedAccount[],
  candidates: readonly AccountCandidate[],
  over: Partial<AccountsToPlan> = {},
): string[] {
  const decisions = planAccounts({
    provider: 'plaid',
    institution: BANK,
    reported: accounts,
    aliases: new Map(),
    candidates,
    ...over,
  });
  return decisions.map(({ accountId, rule, undecidedIds }) =>
    [rule, ...(accountId === null ? [] : [accountId]), ...(undecidedIds.length > 0 ? ['?', ...undecidedIds] : [])].join(
      ' ',
    ),
  );
}

describe('an account that was there before', () => {
  test.each([
    ['its mask and type', {}, {}, 'mask a1'],
    [
      'its persistent id, whatever else differs',
      { persistentId: 'p', mask: '1' },
      { persistentId: 'p' },
      'persistent_id a1',
    ],
    ['another mask', { mask: '1111' }, {}, 'new'],
    ['another type', { type: 'credit' }, {}, 'new'],
    ['another subtype', { subtype: 'savings' }, {}, 'new'],
    ['a subtype that one side does not tell', { subtype: null }, {}, 'mask a1'],
    ['its name, without a mask', { mask: null }, {}, 'name a1'],
    ['another name, without a mask', { mask: null, name: 'Savings' }, {}, 'new'],
    ['its official name', { mask: null, name: 'Everyday', officialName: 'CHECKING' }, {}, 'name a1'],
    ['another bank by id', {}, { institution: { id: 'ins_2', name: BANK.name } }, 'new'],
    [
      'the bank by name, through another provider',
      {},
      { provider: 'teller', institution: { id: 'fpb', name: 'FIRST PLATYPUS BANK' } },
      'mask a1',
    ],
    [
      'another bank by name, through another provider',
      {},
      { provider: 'teller', institution: { id: 'x', name: 'Other' } },
      'new',
    ],
    [
      'files of a bank with a compatible name',
      {},
      { source: 'csv', type: 'other', subtype: null, institution: { id: null, name: 'First Platypus' } },
      'mask a1',
    ],
    ['files of another bank', {}, { source: 'csv', institution: { id: null, name: 'Second Bank' } }, 'new'],
    ['files of a bank without a name', {}, { source: 'csv', institution: { id: null, name: null } }, 'new'],
    ['files without a mask', {}, { source: 'csv', mask: null }, 'new'],
    ['one that left the list of the same connection', { externalId: 'e2' }, { source: 'same' }, 'mask a1'],
  ] as const)('is found by %s', (_, one, other, expected) => {
    expect(plan([reported(one)], [candidate(other)])).toEqual([expected]);
  });

  test('a known id decides before anything else', () => {
    const accounts = [reported(), reported({ externalId: 'e2' })];
    expect(plan(accounts, [candidate({ source: 'same' })], { aliases: new Map([['e2', 'a1']]) })).toEqual([
      'new',
      'known a1',
    ]);
  });

  test('of an item over several banks the bank of the account counts', () => {
    const one = reported({ institution: { id: null, name: 'Bank B' } });
    const at = (id: string, name: string): AccountCandidate =>
      candidate({ id, source: 'same', institution: { id: null, name } });
    expect(plan([one], [at('a1', 'Bank A'), at('a2', 'Bank B')])).toEqual(['mask a2']);
  });
});

describe('several that look alike', () => {
  const cards = [candidate({ id: 'a1', name: 'Gold' }), candidate({ id: 'a2', name: 'Silver' })];

  test('are told apart by name', () => {
    const accounts = [reported({ name: 'Silver' }), reported({ externalId: 'e2', name: 'GOLD' })];
    expect(plan(accounts, cards)).toEqual(['mask a2', 'mask a1']);
  });

  test('what one of them claims by name leaves the other to the other', () => {
    expect(plan([reported({ name: 'Platinum' }), reported({ externalId: 'e2', name: 'Gold' })], cards)).toEqual([
      'mask a2',
      'mask a1',
    ]);
  });

  test('without a name that decides they are undecided', () => {
    expect(plan([reported({ name: 'Platinum' })], cards)).toEqual(['new ? a1 a2']);
    const two = [reported({ name: 'One' }), reported({ externalId: 'e2', name: 'Two' })];
    expect(plan(two, [candidate()])).toEqual(['new ? a1', 'new ? a1']);
    expect(plan([reported({ mask: null })], [candidate(), candidate({ id: 'a2' })])).toEqual(['new ? a1 a2']);
  });
});

test('no account is claimed twice, and the order of the report does not matter', () => {
  const few = (...values: (string | null)[]) => fc.constantFrom(...values);
  const traits = {
    persistentId: few(null, null, 'p', 'q'),
    name: fc.constantFrom('Gold', 'Silver'),
    mask: few(null, '1', '2'),
  };
  const accounts = fc.array(fc.record(traits), { maxLength: 5 });
  const others = fc.array(fc.record({ ...traits, source: fc.constantFrom('same', 'former', 'csv') }), { maxLength: 5 });
  fc.assert(
    fc.property(accounts, others, (reports, found) => {
      const all = reports.map((one, at) => reported({ ...one, externalId: `e${at}` }));
      const candidates = found.map((one, at) => candidate({ ...one, source: one.source as 'csv', id: `a${at}` }));
      const said = plan(all, candidates);
      const ids = said.map((text) => text.split(' ')[1]).filter((id) => id?.startsWith('a'));
      expect(new Set(ids).size).toBe(ids.length);
      expect(plan(all.toReversed(), candidates.toReversed()).toReversed().map(sorted)).toEqual(said.map(sorted));
    }),
    { numRuns: 300 },
  );
});

function sorted(text: string): string {
  const [decision, open] = text.split(' ? ');
  return [decision, ...(open?.split(' ') ?? []).toSorted()].join(' ');
}
