import type { ComponentType } from 'react';

import type { PagePath } from '../src/contract/pages.ts';
import { readAhead } from './pages/transactions/read-ahead.ts';

interface PageModule {
  default: ComponentType;
}

/** Where the code of each page is; it is loaded when the page is first opened. A path without a page does not compile. */
export const PAGE_MODULES: Readonly<Record<PagePath, () => Promise<PageModule>>> = {
  '/login': () => import('./pages/account/login-page.tsx'),
  '/setup': () => import('./pages/account/setup-page.tsx'),
  '/invite/{token}': () => import('./pages/account/invite-page.tsx'),
  '/auth/device': () => import('./pages/account/device-page.tsx'),
  '/': () => import('./pages/home/home-page.tsx'),
  '/transactions': () => {
    readAhead();
    return import('./pages/transactions/transactions-page.tsx');
  },
  '/transactions/{id}': () => import('./pages/transaction/transaction-page.tsx'),
  '/accounts': () => import('./pages/accounts/accounts-page.tsx'),
  '/accounts/{id}': () => import('./pages/accounts/account-page.tsx'),
  '/reports': () => import('./pages/reports/reports-page.tsx'),
  '/reports/{id}': () => import('./pages/reports/report-page.tsx'),
  '/review': () => import('./pages/review/review-page.tsx'),
  '/proposals': () => import('./pages/proposals/proposals-page.tsx'),
  '/proposals/{id}': () => import('./pages/proposals/proposal-page.tsx'),
  '/categories': () => import('./pages/categories/categories-page.tsx'),
  '/counterparties': () => import('./pages/counterparties/counterparties-page.tsx'),
  '/series': () => import('./pages/series/series-page.tsx'),
  '/tags': () => import('./pages/tags/tags-page.tsx'),
  '/rules': () => import('./pages/rules/rules-page.tsx'),
  '/rules/new': () => import('./pages/rules/new-rule-page.tsx'),
  '/rules/{id}': () => import('./pages/rules/rule-page.tsx'),
  '/connections': () => import('./pages/connections/connections-page.tsx'),
  '/connections/new': () => import('./pages/connections/add-bank-page.tsx'),
  '/connections/{id}': () => import('./pages/connections/connection-page.tsx'),
  '/suggestions': () => import('./pages/suggestions/suggestions-page.tsx'),
  '/account-links': () => import('./pages/account-links/account-links-page.tsx'),
  '/account-links/{id}': () => import('./pages/account-links/account-link-page.tsx'),
  '/imports': () => import('./pages/imports/imports-page.tsx'),
  '/imports/new': () => import('./pages/imports/new-import-page.tsx'),
  '/imports/{id}': () => import('./pages/imports/import-page.tsx'),
  '/sync-logs': () => import('./pages/sync-logs/sync-logs-page.tsx'),
  '/sync-logs/{id}': () => import('./pages/sync-logs/sync-log-page.tsx'),
  '/workflows': () => import('./pages/workflows/workflows-page.tsx'),
  '/workflows/new': () => import('./pages/workflows/new-workflow-page.tsx'),
  '/workflows/{slug}': () => import('./pages/workflows/workflow-page.tsx'),
  '/runs': () => import('./pages/runs/runs-page.tsx'),
  '/runs/{id}': () => import('./pages/runs/run-page.tsx'),
  '/history': () => import('./pages/history/history-page.tsx'),
  '/history/{id}': () => import('./pages/history/change-set-page.tsx'),
  '/household': () => import('./pages/household/household-page.tsx'),
  '/settings/api-keys': () => import('./pages/api-keys/api-keys-page.tsx'),
  '/settings/general': () => import('./pages/general/general-page.tsx'),
  '/settings/providers': () => import('./pages/providers/providers-page.tsx'),
  '/settings/sync': () => import('./pages/sync-times/sync-times-page.tsx'),
  '/settings/backup': () => import('./pages/backup/backup-page.tsx'),
  '/settings/models': () => import('./pages/models/models-page.tsx'),
  '/settings/agents': () => import('./pages/agents/agents-page.tsx'),
  '/settings/profile': () => import('./pages/profile/profile-page.tsx'),
  '/settings/notifications': () => import('./pages/notifications/notifications-page.tsx'),
  '/settings/system': () => import('./pages/system/system-page.tsx'),
  '/webhook-events': () => import('./pages/webhook-events/webhook-events-page.tsx'),
  '/agent-calls': () => import('./pages/agent-calls/agent-calls-page.tsx'),
  '/help': () => import('./pages/help/help-page.tsx'),
  '/help/{guide}': () => import('./pages/help/guide-page.tsx'),
  '/internal/components': () => import('./pages/internal/components-page.tsx'),
};
