/**
 * Who may call what, written down from the contract (its index of endpoints, 20.1 and 20.4) and not read from the
 * declarations, so that neither can change alone. Paths are below /api/v1 unless they begin with one of `ROOT`.
 */
export const RIGHTS = {
  /** No credential. */
  anybody: `
    GET /headless/bootstrap /health /health/ready /version
    POST /auth/device-code /auth/device-code/poll
  `,
  /** Every key and session. */
  reading: `
    GET /account-links /account-links/{id} /account-links/{id}/matches /account-links/{id}/unmatched /accounts
       /accounts/{id} /accounts/{id}/balances /accounts/{id}/detail /categories /categories/export /categories/{id}
       /change-sets /change-sets/{id} /connections /connections/link/{id} /connections/{id} /connections/{id}/status
       /counterparties /counterparties/{id} /import-profiles /import-profiles/{id} /imports /imports/{id}
       /imports/{id}/rows /jobs /jobs/{id} /keys/me /overview /overview/history /proposals /proposals/{id} /providers
       /providers/{name} /reports /reports/unread-count /reports/{id} /review /rules /rules/{id} /rules/{id}/conflicts
       /rules/{id}/sync-history /series /series/{id} /series/{id}/prices /settings/providers /sync/health /sync/health/providers
       /sync/logs /sync/logs/{id} /sync/stats /sync/suggestions /sync/suggestions/{id} /tags /tags/{slug}
       /transactions /transactions/count /transactions/export /transactions/merchants /transactions/summary
       /transactions/{id} /transactions/{id}/annotations /transactions/{id}/comments /transactions/{id}/explain /users
       /users/{id} /version /workflow-presets /workflow-presets/{slug} /workflows /workflows/cron-preview
       /workflows/prompt-blocks /workflows/runs /workflows/runs/recent-errors /workflows/runs/{id}
       /workflows/runs/{id}/transcript /workflows/status /workflows/{slug} /workflows/{slug}/runs
  `,
  /** Full access, of whomever. */
  writing: `
    GET /mcp-calls /mcp-calls/{id} /webhook-events
    POST /account-links /account-links/{id}/reconcile /accounts /categories /categories/import /categories/{id}/merge
       /change-sets/{id}/revert /connections /connections/csv/import /connections/csv/preview /connections/link
       /connections/{id}/paused /connections/{id}/reauth /connections/{id}/reauth-complete /connections/{id}/relink
       /connections/{id}/sync /counterparties /counterparties/{id}/merge /counterparties/{id}/transactions /imports
       /imports/{id}/revert /jobs/{id}/cancel /providers/{name}/link-session /providers/{name}/test /reports
       /reports/read-all /rules /rules/apply-all /rules/batch /rules/preview /rules/suggest /rules/{id}/apply /series
       /series/{id}/transactions /sync /sync/suggestions/{id}/accept /sync/suggestions/{id}/dismiss /tags
       /transaction-matches/manual /transaction-matches/{id}/confirm /transaction-matches/{id}/reject /transactions
       /transactions/batch-categorize /transactions/bulk-recategorize /transactions/bulk-update /transactions/update
       /transactions/{id}/comments /transactions/{id}/flag /transactions/{id}/restore /transactions/{id}/tags /users /webhook-events/{id}/replay
       /workflows/compose /workflows/runs/{id}/cancel /workflows/test /workflows/{slug}/run
    PUT /account-links/{id} /accounts/{id}/balances/{date} /categories/{id} /import-profiles/{id} /rules/{id}
       /transactions/{id}/comments/{comment_id} /transactions/{id}/metadata
    PATCH /account-links/{id} /accounts/{id} /categories/{id} /connections/{id} /counterparties/{id}
       /reports/{id}/read /reports/{id}/unread /rules/{id} /series/{id} /tags/{slug} /transactions/{id}/category
       /transactions/{id}/metadata /transactions/{id}/metadata/{key} /users/{id} /workflows/runs/{id}
    DELETE /account-links/{id} /accounts/{id} /accounts/{id}/balances/{date} /categories/{id} /connections/link/{id}
       /connections/{id} /counterparties/{id} /counterparties/{id}/transactions/{txid} /import-profiles/{id}
       /reports/{id} /rules/{id} /series/{id} /series/{id}/transactions/{txid} /tags/{slug} /transactions/{id}
       /transactions/{id}/category /transactions/{id}/comments/{comment_id} /transactions/{id}/flag
       /transactions/{id}/metadata /transactions/{id}/metadata/{key} /transactions/{id}/tags/{slug}
  `,
  /** Full access, but of no agent. */
  people: `
    POST /agents /proposals/{id}/approve /proposals/{id}/reject /workflow-presets/{slug}/enable /workflows
       /workflows/{slug}/disable /workflows/{slug}/enable
    PATCH /workflows/{slug}
    DELETE /workflows/{slug}
  `,
  /** Full access, but of no agent; of sessions, only those of admins. */
  admins: `
    GET /api-keys /api-keys/{id} /auth/device-requests /auth/device-requests/{user_code} /config /config/{key}
       /export/household
       /notification-channels /notification-channels/{id} /notification-deliveries /settings/mcp /settings/mcp/catalog
       /settings/notifications /users/{user_id}/login /workflows/settings
    POST /api-keys /auth/device-requests/{user_code}/approve /auth/device-requests/{user_code}/deny
       /notification-channels /notification-channels/{id}/rotate-secret /notification-channels/{id}/test
       /notification-deliveries/{id}/retry /users/{id}/wipe-data /users/{user_id}/login
       /users/{user_id}/login/{login_id}/regenerate-token /workflows/cleanup
    PUT /config/{key} /settings/mcp /settings/notifications /settings/providers/plaid /settings/providers/teller
       /workflows/settings
    PATCH /api-keys/{id} /notification-channels/{id} /settings/mcp /settings/notifications
       /users/{user_id}/login/{login_id} /workflows/settings
    DELETE /api-keys/{id} /config/{key} /notification-channels/{id} /providers/{name} /users/{id}
       /users/{user_id}/login/{login_id}
  `,
} as const;
export type Right = keyof typeof RIGHTS;

const ROOT = ['/health', '/health/ready', '/version'];

/** What each operation needs, by method and full path: `GET /api/v1/tags`. */
export function rightsByOperation(): ReadonlyMap<string, Right> {
  const found = new Map<string, Right>();
  for (const [right, lines] of Object.entries(RIGHTS)) {
    let method = '';
    for (const word of lines.split(/\s+/).filter((text) => text !== '')) {
      if (!word.startsWith('/')) method = word;
      else found.set(`${method} ${isAtRoot(right, word) ? '' : '/api/v1'}${word}`, right as Right);
    }
  }
  return found;
}

function isAtRoot(right: string, path: string): boolean {
  return right === 'anybody' && ROOT.includes(path);
}
