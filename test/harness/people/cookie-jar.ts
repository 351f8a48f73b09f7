import type { Answer, RequestOptions, TestApp } from '../test-app.ts';

/** Requests as a browser on a page of ours sends them: it keeps cookies and sends them where they belong. */
export interface CookieJar {
  /** Name and value of each cookie it holds. */
  cookies: ReadonlyMap<string, string>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  signIn(identifier: string, password: string, options?: { remember?: boolean }): Promise<Answer>;
}

export interface JarOptions {
  /** Its address, 127.0.0.1 by default. */
  from?: string;
  headers?: Readonly<Record<string, string>>;
}

export function openJar(app: TestApp, { from, headers }: JarOptions = {}): CookieJar {
  const cookies = new Map<string, string>();
  const paths = new Map<string, string>();

  function keep(answer: Answer): void {
    for (const text of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = text.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
      paths.set(name, attributes.find((one) => one.startsWith('Path='))?.slice(5) ?? '/');
    }
  }

  const request: CookieJar['request'] = async (method, path, options = {}) => {
    const sent = [...cookies].filter(([name]) => isBelow(path, paths.get(name) ?? '/'));
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.request(method, path, {
      key: null,
      ...(from === undefined ? {} : { from }),
      ...options,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...headers,
        ...options.headers,
      },
    });
    keep(answer);
    return answer;
  };

  return {
    cookies,
    request,
    signIn: (identifier, password, options = {}) =>
      request('POST', '/auth/login', { body: { identifier, password, ...options } }),
  };
}

function isBelow(path: string, cookiePath: string): boolean {
  return cookiePath === '/' || path === cookiePath || path.startsWith(`${cookiePath}/`);
}
