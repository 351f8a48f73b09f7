import { LIMITS } from '../../kernel/limits.ts';
import type { LinkFor } from '../provider.ts';

export interface LinkSettings {
  countryCodes: readonly string[];
  language: string;
  redirectUri: string | null;
  /** Where Plaid sends webhooks; null: nowhere. */
  webhookUrl: string | null;
}

/** What opens Plaid's window (contract 35.2): for a new bank, or with a token to sign in again. */
export function linkTokenRequest(
  { countryCodes, language, redirectUri, webhookUrl }: LinkSettings,
  { memberId }: LinkFor,
  accessToken: string | null,
): object {
  return {
    client_name: 'Homeledger',
    language,
    country_codes: [...countryCodes],
    user: { client_user_id: memberId },
    ...(webhookUrl !== null && { webhook: webhookUrl }),
    ...(redirectUri !== null && { redirect_uri: redirectUri }),
    ...(accessToken === null ? NEW_ITEM : { access_token: accessToken, ...UPDATE_MODE }),
  };
}

const NEW_ITEM = {
  products: ['transactions'],
  transactions: { days_requested: LIMITS.providerHistoryDays },
};

/** A forgotten account must not cost a second item, and perhaps no webhook has told of a new one. */
const UPDATE_MODE = { update: { account_selection_enabled: true } };
