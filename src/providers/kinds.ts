import type { ProviderTraits } from './provider.ts';

/** The bank providers, in the order in which lists show them. */
export const PROVIDER_TRAITS: readonly ProviderTraits[] = [
  {
    name: 'plaid',
    displayName: 'Plaid',
    endAccessAt: 'my.plaid.com or in Plaid’s dashboard',
    delivery: 'changes',
    position: 'connection',
    rowIds: 'lasting',
    minIntervalSeconds: null,
    callsPerDay: null,
    needsLinkSession: true,
    exchangesTokens: true,
    capabilities: ['transactions', 'balances', 'webhooks', 'reauth'],
    renewsUnderNewIds: false,
  },
  {
    name: 'teller',
    displayName: 'Teller',
    endAccessAt: 'Teller’s dashboard',
    delivery: 'window',
    position: 'account',
    rowIds: 'posted',
    minIntervalSeconds: null,
    callsPerDay: null,
    needsLinkSession: true,
    capabilities: ['transactions', 'balances', 'webhooks', 'reauth'],
    renewsUnderNewIds: false,
    renewsByItemId: true,
  },
];

/** The traits of a built-in provider. */
export function traitsNamed(name: 'plaid' | 'teller'): ProviderTraits {
  return PROVIDER_TRAITS.find((traits) => traits.name === name) as ProviderTraits;
}
