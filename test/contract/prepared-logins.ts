import type { TestApp } from '../harness/test-app.ts';
import type { Prepared } from './live-calls.ts';

let made = 0;

async function addMember(app: TestApp): Promise<string> {
  made += 1;
  const { json } = await app.request('POST', '/api/v1/users', { body: { name: `Guest ${made}` } });
  return json.short_id as string;
}

async function addLogin(app: TestApp) {
  const userId = await addMember(app);
  const body = { identifier: `guest-${made}@home.example` };
  const { json } = await app.request('POST', `/api/v1/users/${userId}/login`, { body });
  return { params: { user_id: userId, login_id: json.short_id as string } };
}

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  listLogins: async (app) => ({ params: { user_id: (await addLogin(app)).params.user_id } }),
  createLogin: async (app) => ({
    params: { user_id: await addMember(app) },
    body: { identifier: `guest-${made}@home.example` },
  }),
  updateLogin: addLogin,
  deleteLogin: addLogin,
  regenerateSetupToken: addLogin,
};
