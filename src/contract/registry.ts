import { operations as accountLinks } from '../features/account-links/account-links.contract.ts';
import { operations as accounts } from '../features/accounts/accounts.contract.ts';
import { operations as accountsByHand } from '../features/accounts/accounts-by-hand.contract.ts';
import { operations as apiKeys } from '../features/api-keys/api-keys.contract.ts';
import { operations as agentCalls } from '../features/agent-calls/agent-calls.contract.ts';
import { operations as auth } from '../features/auth/auth.contract.ts';
import { operations as bootstrap } from '../features/bootstrap/bootstrap.contract.ts';
import { operations as categories } from '../features/categories/categories.contract.ts';
import { operations as config } from '../features/config/config.contract.ts';
import { operations as connections } from '../features/connections/connections.contract.ts';
import { operations as deviceRequests } from '../features/device-requests/device-requests.contract.ts';
import { operations as sync } from '../features/sync/sync.contract.ts';
import { operations as hostedLinks } from '../features/hosted-links/hosted-links.contract.ts';
import { operations as exported } from '../features/export/export.contract.ts';
import { operations as health } from '../features/health/health.contract.ts';
import { operations as linkPage } from '../features/hosted-links/link-page.contract.ts';
import { operations as imports } from '../features/imports/imports.contract.ts';
import { operations as importProfiles } from '../features/import-profiles/import-profiles.contract.ts';
import { operations as notifications } from '../features/notifications/notifications.contract.ts';
import { operations as overview } from '../features/overview/overview.contract.ts';
import { operations as providerSettings } from '../features/provider-settings/provider-settings.contract.ts';
import { operations as providers } from '../features/providers/providers.contract.ts';
import { operations as transactions } from '../features/transactions/transactions.contract.ts';
import { operations as logins } from '../features/logins/logins.contract.ts';
import { operations as users } from '../features/users/users.contract.ts';
import { operations as recoveryKeys } from '../features/recovery-keys/recovery-keys.contract.ts';
import { operations as setup } from '../features/setup/setup.contract.ts';
import { operations as suggestions } from '../features/suggestions/suggestions.contract.ts';
import { operations as tags } from '../features/tags/tags.contract.ts';
import { operations as series } from '../features/series/series.contract.ts';
import { operations as counterparties } from '../features/counterparties/counterparties.contract.ts';
import { operations as comments } from '../features/comments/comments.contract.ts';
import { operations as annotations } from '../features/annotations/annotations.contract.ts';
import { operations as changeSets } from '../features/change-sets/change-sets.contract.ts';
import { operations as review } from '../features/review/review.contract.ts';
import { operations as reports } from '../features/reports/reports.contract.ts';
import { operations as jobs } from '../features/jobs/jobs.contract.ts';
import { operations as proposals } from '../features/proposals/proposals.contract.ts';
import { operations as rules } from '../features/rules/rules.contract.ts';
import { operations as transactionMatches } from '../features/transaction-matches/transaction-matches.contract.ts';
import { operations as workflowRuns } from '../features/workflow-runs/workflow-runs.contract.ts';
import { operations as workflowSettings } from '../features/workflow-settings/workflow-settings.contract.ts';
import { operations as workflowPresets } from '../features/workflow-presets/workflow-presets.contract.ts';
import { operations as webhooks } from '../features/webhooks/webhooks.contract.ts';
import { operations as workflows } from '../features/workflows/workflows.contract.ts';
import type { AnyOperation } from './operation.ts';

/** What only browsers call, with the session cookie (contract 20.6 to 20.8). Not in the OpenAPI document. */
export const browserOperations: readonly AnyOperation[] = [...auth, ...recoveryKeys, ...setup];

/** What the page of a hosted link calls (contract 30.5.3). Not in the OpenAPI document. */
export const linkPageOperations: readonly AnyOperation[] = linkPage;

/** Every operation of the service. Routes, reference, client, agent tools and commands are derived from it. */
export const operations: readonly AnyOperation[] = [
  ...health,
  ...bootstrap,
  ...apiKeys,
  ...deviceRequests,
  ...users,
  ...logins,
  ...overview,
  ...review,
  ...accounts,
  ...accountsByHand,
  ...accountLinks,
  ...categories,
  ...connections,
  ...hostedLinks,
  ...sync,
  ...webhooks,
  ...providers,
  ...suggestions,
  ...imports,
  ...importProfiles,
  ...transactions,
  ...comments,
  ...annotations,
  ...tags,
  ...transactionMatches,
  ...series,
  ...counterparties,
  ...changeSets,
  ...proposals,
  ...workflowPresets,
  ...rules,
  ...jobs,
  ...reports,
  ...exported,
  ...config,
  ...providerSettings,
  ...agentCalls,
  ...notifications,
  ...workflowRuns,
  ...workflowSettings,
  ...workflows,
];
