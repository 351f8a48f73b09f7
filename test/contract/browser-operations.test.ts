import { beforeAll, describe, expect, test } from 'vitest';

import { browserOperations } from '../../src/contract/registry.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../harness/test-app.ts';
import { urlOf } from './live-calls.ts';

const codeOf = ({ status, json }: Answer) => [status, json?.error?.code];

/** What holds for every operation below /auth; whether each works is tested where it is. */
forEachDatabase((database) => {
  let app: TestApp;
  let ana: SignedIn;
  beforeAll(async () => {
    app = await database.open();
    ana = await signIn(app);
  });

  describe.each(browserOperations.map((operation) => [operation.name, operation] as const))(
    '%s',
    (_name, operation) => {
      const { method, path, example } = operation;
      const url = urlOf(path, example.params);
      const body = example.body === undefined ? {} : { body: example.body };
      const send = (options: RequestOptions, how: string = method) => app.request(how, url, { key: null, ...options });
      const headers = (more: Record<string, string> = {}) => ({ headers: { ...ana.headers, ...more } });

      test('refuses what it must before it writes anything', async () => {
        const before = await allRows(app.app.instance.database, ['sessions']);
        if (operation.session === 'required') {
          expect(codeOf(await send(body))).toEqual([401, 'LOGIN_REQUIRED']);
          expect(codeOf(await send({ ...body, key: app.key }))).toEqual([401, 'LOGIN_REQUIRED']);
        }
        const here = browserOperations.filter((one) => one.path === path);
        const taken = here.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]));
        const wrong = await send({}, 'PUT');
        expect([...codeOf(wrong), wrong.headers.allow]).toEqual([
          405,
          'METHOD_NOT_ALLOWED',
          [...taken, 'OPTIONS'].join(', '),
        ]);
        if (method !== 'GET') {
          for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
            expect(codeOf(await send({ ...body, ...headers(foreign) }))).toEqual([403, 'ORIGIN_MISMATCH']);
          }
          const cookieAlone = { headers: { cookie: ana.headers['cookie'] as string } };
          expect(codeOf(await send({ ...body, ...cookieAlone }))).toEqual([403, 'ORIGIN_MISMATCH']);
        }
        if (operation.body) {
          expect(codeOf(await send({ body: '{"a":', ...headers() }))).toEqual([400, 'INVALID_BODY']);
          const typed = await send({
            body: 'a=b',
            ...headers({ 'content-type': 'application/x-www-form-urlencoded' }),
          });
          expect(codeOf(typed)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
        }
        // With the credential in the body or the path, that is judged first.
        if (operation.body && operation.bodyLast !== true) {
          const surprise = await send({ body: { ...(example.body as object), surprise: 1 }, ...headers() });
          expect(codeOf(surprise)).toEqual([400, 'VALIDATION_ERROR']);
          expect(surprise.json.error.details).toEqual([expect.objectContaining({ path: 'surprise' })]);
        }
        expect(await allRows(app.app.instance.database, ['sessions'])).toEqual(before);
      });
    },
  );
});
