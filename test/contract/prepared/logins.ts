import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

const IDENTIFIER = 'ada@home.example';

/** The first member, without a login. The household gets no second one, to whom the files of others might belong. */
async function withoutLogin(app: TestApp): Promise<string> {
  const [member] = (await app.request('GET', '/api/v1/users')).json as { short_id: string }[];
  const path = `/api/v1/users/${member?.short_id}/login`;
  for (const { short_id: id } of (await app.request('GET', path)).json) await app.request('DELETE', `${path}/${id}`);
  return member?.short_id as string;
}

async function withLogin(app: TestApp) {
  const userId = await withoutLogin(app);
  const { json } = await app.request('POST', `/api/v1/users/${userId}/login`, { body: { identifier: IDENTIFIER } });
  return { params: { user_id: userId, login_id: json.short_id as string } };
}

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  listLogins: async (app) => ({ params: { user_id: (await withLogin(app)).params.user_id } }),
  createLogin: async (app) => ({ params: { user_id: await withoutLogin(app) }, body: { identifier: IDENTIFIER } }),
  updateLogin: withLogin,
  deleteLogin: withLogin,
  regenerateSetupToken: withLogin,
};
