import { expect, test } from 'vitest';

import { forEachDatabase } from './test-app.ts';

forEachDatabase((database) => {
  test('an installation has two keys, and survives a second start', async () => {
    const first = await database.open();
    expect((await first.request('GET', '/api/v1/api-keys')).json).toHaveLength(2);
    expect((await first.request('GET', '/api/v1/api-keys', { key: first.readOnlyKey })).status).toBe(403);
    await first.close();
    const second = await first.again();
    expect((await second.request('GET', '/api/v1/keys/me')).json.scope).toBe('full_access');
    expect(second.logs.some((line) => line.includes('/api/v1/keys/me'))).toBe(true);
  });

  test('an installation shares nothing with another, open or gone', async () => {
    const first = await database.open();
    const { key } = await first.newKey();
    expect((await first.request('GET', '/api/v1/keys/me', { key })).status).toBe(200);
    expect((await (await database.open()).request('GET', '/api/v1/keys/me', { key })).status).toBe(401);
  });
});
