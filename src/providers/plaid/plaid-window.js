// @ts-check
Object.assign(bankWindow, {
  // Some banks send the browser away, and need an address to send it back to.
  needsReturn: true,
  isLoaded: () => 'Plaid' in globalThis,
  /** @param {any} opened @param {any} page */
  open(opened, page) {
    const link = /** @type {any} */ (globalThis).Plaid.create({
      token: opened.link_token,
      ...(page.returnedTo ? { receivedRedirectUri: page.returnedTo } : {}),
      onLoad() {},
      /** @param {string} publicToken @param {any} metadata */
      onSuccess(publicToken, { institution, accounts }) {
        const credentials = {
          public_token: publicToken,
          institution_id: institution?.institution_id ?? null,
          institution_name: institution?.name ?? null,
          accounts: (accounts ?? []).map((/** @type {any} */ { id, name, mask, type, subtype }) => ({
            id,
            name,
            mask,
            type,
            subtype,
          })),
        };
        // At a renewal the access stays the same, so there is nothing to hand over.
        page.onSignedIn({ credentials, renewal: {} });
      },
      /** @param {any} error */
      onExit(error) {
        if (error?.error_code === 'INVALID_LINK_TOKEN') page.onStale();
        else page.onClosed(error?.display_message ?? null);
      },
    });
    link.open();
  },
});
