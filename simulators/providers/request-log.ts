/** A request as it arrived at a simulator; `status` is null while it has no answer, and if its socket was closed. */
export interface LoggedRequest {
  n: number;
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
}

export interface RequestLog {
  add(request: Omit<LoggedRequest, 'n' | 'status'>): LoggedRequest;
  list(): readonly LoggedRequest[];
  clear(): void;
}

/** A demo may run for weeks. */
const KEPT = 10_000;

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  let count = 0;
  return {
    add(request) {
      const logged = { n: ++count, ...request, status: null };
      requests.push(logged);
      if (requests.length > 2 * KEPT) requests = requests.slice(-KEPT);
      return logged;
    },
    list: () => requests,
    clear() {
      requests = [];
      count = 0;
    },
  };
}
