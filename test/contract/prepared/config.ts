import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  // The household of the tests has the currency of the example already.
  setConfigEntry: async () => ({ params: { key: 'default_currency' }, body: { value: 'NOK' } }),
  resetConfigEntry: async (app) => {
    await app.request('PUT', '/api/v1/config/default_currency', { body: { value: 'SEK' } });
    return { params: { key: 'default_currency' } };
  },
};
