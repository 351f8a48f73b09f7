import { z } from 'zod';

import { Id, Instant, ShortId, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { PlaidLink, TellerLink } from '../connections/connection-create.contract.ts';
import { exampleLinkSession, LinkSession } from '../providers/providers.contract.ts';
import { LinkStatus } from './hosted-links.contract.ts';

/** What the page of a hosted link calls; the token in the path is the credential (30.5.3). */

const token = z.string();
const GUARD = ['INVALID_TOKEN', 'EXPIRED', 'CONSUMED', 'GONE', 'ORIGIN_MISMATCH', 'RATE_LIMITED'] as const;
const exampleToken = 'kZ0rXb5c9yq1Qm3mF0n7Wg';
const params = z.object({ token });
const example = { params: { token: exampleToken } };

/** The token is checked before the body. */
const shared = {
  group: 'hosted-links',
  scope: 'none',
  linkToken: true,
  refusal: 'INVALID_TOKEN',
  noStore: true,
  bodyLast: true,
  effect: 'background',
  weight: 'light',
} as const;

export const readLinkPage = defineOperation({
  ...shared,
  name: 'readLinkPage',
  method: 'GET',
  path: '/_link/{token}/session',
  summary: 'Get what the page is for',
  params,
  response: z.object({
    id: Id,
    short_id: ShortId,
    provider: z.string(),
    action: z.enum(['link', 'relink']),
    single_use: z.boolean(),
    label: z.string().nullable(),
    redirect_url: z.string().nullable(),
    status: LinkStatus,
    user_name: z.string(),
    institution_name: z.string().nullable(),
    result_connection_ids: z.array(Id),
    providers: z.array(z.string()).meta({ description: 'The providers that the person may choose' }),
    expires_at: Instant,
  }),
  status: 200,
  errors: [...GUARD],
  example: {
    ...example,
    response: {
      id: '0198c2b1-0000-7a10-8c00-5b1e2f3a4c5d',
      short_id: 'Lk3Pq9aZ',
      provider: '',
      action: 'link',
      single_use: false,
      label: null,
      redirect_url: null,
      status: 'active',
      user_name: 'Ana',
      institution_name: null,
      result_connection_ids: [],
      providers: ['plaid', 'teller'],
      expires_at: '2026-03-02T10:15:00.000Z',
    },
  },
});

export const startLink = defineOperation({
  ...shared,
  name: 'startLink',
  method: 'POST',
  path: '/_link/{token}/providers/{name}/start',
  summary: 'Get what the provider’s script needs to open the bank’s window',
  params: z.object({ token, name: z.string() }),
  response: LinkSession,
  status: 200,
  errors: [...GUARD, 'NOT_FOUND', 'FORBIDDEN', 'PROVIDER_NOT_CONFIGURED', 'CONNECTION_DISCONNECTED', 'PROVIDER_ERROR'],
  example: {
    params: { token: exampleToken, name: 'plaid' },
    response: exampleLinkSession,
  },
});

export const linkOnPage = defineOperation({
  ...shared,
  name: 'linkOnPage',
  method: 'POST',
  path: '/_link/{token}/connections',
  summary: 'Link the bank that the person signed in to',
  params,
  body: z.discriminatedUnion(
    'provider',
    [PlaidLink.omit({ user_id: true }), TellerLink.omit({ user_id: true })],
    'must be plaid or teller',
  ),
  response: z.object({
    connection_id: Id,
    institution_name: z.string().nullable(),
    account_count: z.int(),
    status: z.string(),
  }),
  status: 201,
  alsoStatus: [200],
  errors: [
    ...GUARD,
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'CONFLICT',
    'DUPLICATE_CONNECTION',
    'PROVIDER_NOT_CONFIGURED',
    'PROVIDER_ERROR',
  ],
  example: {
    ...example,
    body: {
      provider: 'teller',
      credentials: { access_token: 'test_token_sim_1', enrollment_id: 'enr_sim_1', institution_name: 'Security CU' },
    },
    response: {
      connection_id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
      institution_name: 'Security CU',
      account_count: 2,
      status: 'active',
    },
  },
});

/** What the bank's window hands over at a renewal, where the proof needs it (30.5.5). */
export const RENEWAL_FIELDS: Readonly<Record<string, readonly ('access_token' | 'enrollment_id')[]>> = {
  teller: ['enrollment_id'],
};

export const renewOnPage = defineOperation({
  ...shared,
  name: 'renewOnPage',
  method: 'POST',
  path: '/_link/{token}/reauth-complete',
  summary: 'Prove that the renewed login works',
  params,
  body: z.strictObject({
    access_token: text(LIMITS.tokenChars, 1).optional(),
    enrollment_id: text(LIMITS.providerTextChars, 1).optional(),
  }),
  bodyOptional: true,
  response: null,
  status: 204,
  errors: [
    ...GUARD,
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'REAUTH_NOT_CONFIRMED',
    'CONNECTION_DISCONNECTED',
    'PROVIDER_NOT_CONFIGURED',
    'PROVIDER_ERROR',
  ],
  example: { ...example, response: null },
});

export const finishLink = defineOperation({
  ...shared,
  name: 'finishLink',
  method: 'POST',
  path: '/_link/{token}/complete',
  summary: 'End the page after its last bank',
  params,
  response: null,
  status: 204,
  errors: [...GUARD, 'FORBIDDEN', 'INVALID_STATE'],
  example: { ...example, response: null },
});

export const giveUpLink = defineOperation({
  ...shared,
  name: 'giveUpLink',
  method: 'POST',
  path: '/_link/{token}/fail',
  summary: 'End the page without connecting a bank, or another one',
  params,
  body: z.strictObject({
    code: text(LIMITS.hostedLinkCodeChars).default('given_up'),
    message: text(LIMITS.hostedLinkMessageChars).nullable().default(null),
  }),
  bodyOptional: true,
  response: null,
  status: 204,
  errors: [...GUARD, 'VALIDATION_ERROR'],
  example: { ...example, body: { code: 'given_up', message: null }, response: null },
});

export const operations = [readLinkPage, startLink, linkOnPage, renewOnPage, finishLink, giveUpLink];
