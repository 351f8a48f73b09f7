import { expect } from 'vitest';

import type { Answer, TestApp } from '../test-app.ts';
import type { SignedIn } from './sessions.ts';

const START = '/api/v1/auth/device-code';
const REQUESTS = '/api/v1/auth/device-requests';

export interface StartedDevice {
  device_code: string;
  user_code: string;
}

export interface Devices {
  /** Each from an address of its own, so that no limit is met by accident. */
  start(body?: unknown, from?: string): Promise<StartedDevice>;
  poll(deviceCode: string, through?: TestApp): Promise<Answer>;
  /** As the admin, with the scope read_only, unless something else is given. */
  approve(userCode: string, body?: object, caller?: object): Promise<Answer>;
  deny(userCode: string, caller?: object): Promise<Answer>;
  /** How many keys there are. */
  keyCount(): Promise<number>;
}

/** Both sides of the device-code flow. */
export function devicesOf(app: TestApp, admin: SignedIn): Devices {
  let addresses = 0;
  const decide = (path: string, request: object, caller: object): Promise<Answer> =>
    app.request('POST', `${REQUESTS}/${path}`, { key: null, headers: admin.headers, ...request, ...caller });
  return {
    async start(body, from) {
      addresses += 1;
      const own = from ?? `10.0.${addresses >> 8}.${addresses & 255}`;
      const answer = await app.request('POST', START, {
        key: null,
        from: own,
        ...(body === undefined ? {} : { body }),
      });
      expect([answer.status, answer.headers['cache-control']], answer.text).toEqual([201, 'no-store']);
      return answer.json;
    },
    poll: (code, through = app) => through.request('POST', `${START}/poll`, { key: null, body: { device_code: code } }),
    approve: (code, body = {}, caller = {}) =>
      decide(`${encodeURIComponent(code)}/approve`, { body: { scope: 'read_only', ...body } }, caller),
    deny: (code, caller = {}) => decide(`${encodeURIComponent(code)}/deny`, {}, caller),
    keyCount: async () => (await app.request('GET', '/api/v1/api-keys')).json.length,
  };
}
