import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { OutputOf } from '../../src/contract/operation.ts';
import type { PageAudience } from '../../src/contract/pages.ts';
import { getSession, signOut as endSession } from '../../src/features/auth/auth.contract.ts';
import { api } from './client.ts';
import { queryClient, queryOptions } from './queries.ts';
import { askInPassing, noteSignedIn } from './sign-in-again.ts';

/** Ends the session on the server, and leaves nothing of it in the page. */
export async function signOut(address = '/login'): Promise<void> {
  await api.call(endSession, {});
  localStorage.setItem(SEEN, '');
  location.assign(address);
}

export type Session = OutputOf<typeof getSession>;

/** Who is signed in on this browser; the server decides again on every request. */
export function useSession(): UseQueryResult<Session> {
  return useQuery({ ...sessionQuery(), refetchInterval: 5 * 60_000 });
}

/** A session that ends while its page is open is asked for again like any other call; until then the page stays. */
export function sessionQuery() {
  const { queryKey, queryFn } = queryOptions(getSession, {});
  return {
    queryKey,
    queryFn: async (context: Parameters<typeof queryFn>[0]): Promise<Session> => {
      const session = await queryFn(context);
      const known = queryClient.getQueryData<Session>(queryKey);
      if (session.authenticated) noteSignedIn();
      if (session.authenticated || known?.authenticated !== true) return session;
      void askInPassing();
      return known;
    },
  };
}

export function refreshSession(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [getSession.name] });
}

/** Holds the id of the login that was last signed in on this browser; empty after signing out. */
const SEEN = 'homeledger.signed-in';

/** Tells the other tabs who is signed in; when that is somebody else, they load again instead of mixing two people. */
export function watchOtherTabs(session: Session): () => void {
  const own = session.login?.id ?? '';
  if (localStorage.getItem(SEEN) !== own) localStorage.setItem(SEEN, own);
  return followSignIns((login) => {
    if (login !== own) location.reload();
  });
}

/** Calls back with the id of the login when somebody signs in, or out, in another tab. */
export function followSignIns(onChange: (login: string) => void): () => void {
  const look = (event: StorageEvent): void => {
    if (event.key === SEEN) onChange(event.newValue ?? '');
  };
  window.addEventListener('storage', look);
  return () => window.removeEventListener('storage', look);
}

/** Whether someone was signed in on this browser and did not sign out: then the session ended by itself. */
export function wasSignedIn(): boolean {
  return (localStorage.getItem(SEEN) ?? '') !== '';
}

/** Why a session may not use something; undefined when it may. */
export function reasonAgainst(session: Session | undefined, needs: PageAudience): string | undefined {
  const role = session?.login?.role;
  if (needs === 'everybody' || needs === 'visitor') return undefined;
  if (role === 'admin' || (role === 'editor' && needs === 'full_access')) return undefined;
  return needs === 'admin'
    ? 'Only an admin of the household can do this.'
    : 'Viewers cannot make changes. Ask an admin of the household to change your role.';
}

/** `const reason = useReasonAgainst('admin')`, for `<Button disabledReason={reason}>`. */
export function useReasonAgainst(needs: 'full_access' | 'admin'): string | undefined {
  return reasonAgainst(useSession().data, needs);
}
