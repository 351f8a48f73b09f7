import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { browserPartOf, type BrowserPart } from '../../providers/browser-part.ts';
import { configValue } from '../config/index.ts';
import type { Instance } from '../handler.ts';
import { providersInForce } from '../provider-settings/index.ts';
import { statusAt } from './hosted-links.queries.ts';
import { endOf, findByToken } from './link-guard.ts';

/** What a link's page consists of. */
export interface LinkPage {
  /** null: the person chooses on the page. */
  provider: string | null;
  part: BrowserPart | undefined;
  /** Whether banks can send the browser back to a page of ours. */
  hasReturn: boolean;
}

/** The provider whose banks may send the browser away and back (35.4). */
const RETURNING = 'plaid';

/**
 * The page of a link, prepared for the provider that it is for, or else for the one that the person chose. Nothing is
 * written: whoever previews a link does not use it (contract 30.5.2).
 * @throws NOT_FOUND, EXPIRED, CONSUMED, GONE
 */
export async function prepareLinkPage(instance: Instance, token: string, chosen: string | null): Promise<LinkPage> {
  return instance.database.read(async (tx) => {
    const session = await findByToken(tx, token);
    if (!session) throw new AppError('NOT_FOUND', 'This link is not known. Check that you opened the whole address.');
    const ended = endOf(statusAt(session, instantNow(instance.clock)));
    if (ended) throw ended;
    return preparedFor(tx, instance, session.provider === '' ? chosen : session.provider);
  });
}

/** The page that a bank sends the browser back to. */
export async function prepareReturnPage(instance: Instance): Promise<LinkPage> {
  return instance.database.read(async (tx) => preparedFor(tx, instance, RETURNING));
}

async function preparedFor(tx: ReadTx, instance: Instance, provider: string | null): Promise<LinkPage> {
  const inForce = await providersInForce(tx, instance);
  const known = Object.entries(inForce).find(([name]) => name === provider);
  const part =
    known &&
    (await browserPartOf(known[0], {
      environment: known[1].environment,
      variables: instance.config.providers,
    }));
  const hasReturn = (await configValue(tx, 'plaid_redirect_uri')) !== null;
  return { provider: part ? provider : null, part, hasReturn };
}
