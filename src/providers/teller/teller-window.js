// @ts-check
Object.assign(bankWindow, {
  isLoaded: () => 'TellerConnect' in globalThis,
  /** @param {any} opened @param {any} page */
  open(opened, page) {
    const connect = /** @type {any} */ (globalThis).TellerConnect.setup({
      applicationId: opened.application_id,
      environment: opened.environment,
      products: ['transactions', 'balance'],
      selectAccount: 'multiple',
      ...(opened.enrollment_id ? { enrollmentId: opened.enrollment_id } : {}),
      onInit() {},
      /** @param {any} enrolled */
      onSuccess({ accessToken, enrollment }) {
        const { id, institution } = enrollment;
        const credentials = {
          access_token: accessToken,
          enrollment_id: id,
          institution_name: institution.name,
          ...(institution.id ? { institution_id: institution.id } : {}),
        };
        page.onSignedIn({ credentials, renewal: { access_token: accessToken, enrollment_id: id } });
      },
      onExit: () => page.onClosed(null),
      /** @param {any} failure */
      onFailure: ({ message }) => page.onClosed(message ?? null),
    });
    connect.open();
  },
});
