import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  pollDeviceCode: async (app) => ({ body: { device_code: (await start(app)).device_code } }),
  getDeviceRequest: async (app) => ({ params: { user_code: (await start(app)).user_code } }),
  approveDeviceRequest: async (app) => ({ params: { user_code: (await start(app)).user_code } }),
  denyDeviceRequest: async (app) => ({ params: { user_code: (await start(app)).user_code } }),
};

async function start(app: TestApp): Promise<{ device_code: string; user_code: string }> {
  return (await app.request('POST', '/api/v1/auth/device-code', { key: null })).json;
}
