import type { SimulatedAnswer } from '../providers/simulator-server.ts';

interface PlaidErrorKind {
  type: string;
  status: number;
}

const KINDS: readonly (PlaidErrorKind & { codes: readonly string[] })[] = [
  {
    type: 'INVALID_INPUT',
    status: 400,
    codes: ['INVALID_API_KEYS', 'UNAUTHORIZED_ENVIRONMENT', 'INVALID_ACCESS_TOKEN'],
  },
  { type: 'INVALID_INPUT', status: 400, codes: ['INVALID_PUBLIC_TOKEN', 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'] },
  { type: 'INVALID_INPUT', status: 400, codes: ['INVALID_INSTITUTION', 'INVALID_LINK_TOKEN'] },
  {
    type: 'INVALID_REQUEST',
    status: 400,
    codes: ['MISSING_FIELDS', 'UNKNOWN_FIELDS', 'INVALID_FIELD', 'INVALID_CURSOR'],
  },
  { type: 'INVALID_REQUEST', status: 400, codes: ['INVALID_BODY', 'INVALID_HEADERS', 'UNAUTHORIZED_ROUTE_ACCESS'] },
  { type: 'INVALID_REQUEST', status: 404, codes: ['NOT_FOUND'] },
  { type: 'INSTITUTION_ERROR', status: 400, codes: ['INSTITUTION_DOWN', 'INSTITUTION_NOT_RESPONDING'] },
  { type: 'INSTITUTION_ERROR', status: 400, codes: ['INSTITUTION_NOT_AVAILABLE', 'INSTITUTION_NO_LONGER_SUPPORTED'] },
  { type: 'API_ERROR', status: 500, codes: ['INTERNAL_SERVER_ERROR'] },
  { type: 'API_ERROR', status: 503, codes: ['PLANNED_MAINTENANCE'] },
  { type: 'RATE_LIMIT_EXCEEDED', status: 429, codes: ['TRANSACTIONS_SYNC_LIMIT', 'ACCOUNTS_LIMIT', 'ITEM_GET_LIMIT'] },
  { type: 'TRANSACTIONS_ERROR', status: 400, codes: ['TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'] },
];

/** Codes of a login have the type of items, and so has every code that the table does not know (contract 35.3). */
const OTHERS: PlaidErrorKind = { type: 'ITEM_ERROR', status: 400 };

export interface PlaidErrorBody {
  error_type: string;
  error_code: string;
  error_code_reason: null;
  error_message: string;
  display_message: string | null;
  documentation_url: string;
  suggested_action: null;
}

/** The error of a code as Plaid describes it, without its request id. */
export function describeError(code: string, message = `simulated ${code}`): PlaidErrorBody {
  const { type } = kindOf(code);
  return {
    error_type: type,
    error_code: code,
    error_code_reason: null,
    error_message: message,
    display_message:
      type === 'ITEM_ERROR' || type === 'INSTITUTION_ERROR' ? 'Please sign in to your bank again.' : null,
    documentation_url: `https://plaid.com/docs/errors/#${code.toLowerCase().replaceAll('_', '-')}`,
    suggested_action: null,
  };
}

function statusOfError(code: string): number {
  return kindOf(code).status;
}

function kindOf(code: string): PlaidErrorKind {
  return KINDS.find(({ codes }) => codes.includes(code)) ?? OTHERS;
}

/** Ends the handling of a request with Plaid's error. */
export class PlaidError extends Error {
  readonly code: string;

  constructor(code: string, message?: string) {
    super(message);
    this.code = code;
  }

  answer(requestId: string): SimulatedAnswer {
    const described = describeError(this.code, this.message || undefined);
    return { status: statusOfError(this.code), body: { ...described, request_id: requestId } };
  }
}
