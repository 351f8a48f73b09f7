import type { HttpAnswer } from '../http/http-client.ts';
import { describeError } from '../http/provider-error.ts';
import { rateLimitOf } from '../http/retry-after.ts';
import { ProviderFailure } from '../provider-failure.ts';
import { membersOf } from '../read-values.ts';

/** How far a failure reaches: an account that cannot be read leaves the others to be read (contract 30.7.5). */
export type Reach = 'item' | 'account' | 'closed';

export class TellerFailure extends ProviderFailure {
  readonly reach: Reach;
  constructor(details: ConstructorParameters<typeof ProviderFailure>[0], reach: Reach) {
    super(details);
    this.reach = reach;
  }
}

/** The failure that an unsuccessful answer stands for (contract 35.6). `secrets` is what its request contained. */
export function failureOf(answer: HttpAnswer, now: number, secrets: readonly string[]): ProviderFailure {
  const said = membersOf(membersOf(answer.json)['error']);
  const providerError = describeError(
    { code: said['code'], type: null, message: said['message'], requestId: null },
    answer.status,
    secrets,
  );
  const limited = rateLimitOf(answer, now, providerError);
  if (limited) return limited;
  const code = providerError.code ?? `HTTP_${answer.status}`;
  const { failureClass, reach, ...ours } = kindOf(answer.status, code);
  return new TellerFailure({ failureClass, code: ours.code ?? code, providerError }, reach);
}

type Kind = { failureClass: ProviderFailure['failureClass']; reach: Reach; code?: string };

const DISCONNECTED = 'enrollment.disconnected';

function kindOf(status: number, code: string): Kind {
  // Something in between, such as a proxy, refuses requests too.
  if (status === 400 && code === 'bad_request') {
    return { failureClass: 'config', reach: 'item', code: 'CERTIFICATE_REJECTED' };
  }
  if (status === 401 || status === 403) return { failureClass: 'login', reach: 'item' };
  if (status === 404 && (code === DISCONNECTED || code.startsWith(`${DISCONNECTED}.`))) {
    return { failureClass: 'login', reach: 'item' };
  }
  if (status === 410 && (code === 'account.closed' || code.startsWith('account.closed.'))) {
    return { failureClass: 'item', reach: 'closed' };
  }
  if (status === 404 || status === 410 || status === 422) return { failureClass: 'item', reach: 'account' };
  if (status === 408 || status >= 500) {
    return {
      failureClass: 'transient',
      reach: 'account',
      ...(code.startsWith('HTTP_') && { code: 'PROVIDER_UNAVAILABLE' }),
    };
  }
  return { failureClass: 'config', reach: 'item' };
}

/** A failure without an answer, such as a timeout, is that of the one account as well. */
export function reachOf(failure: ProviderFailure): Reach {
  if (failure instanceof TellerFailure) return failure.reach;
  return failure.failureClass === 'transient' ? 'account' : 'item';
}
