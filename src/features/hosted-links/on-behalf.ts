import type { BackgroundContext } from '../handler.ts';
import type { SessionRow } from './hosted-links.queries.ts';

/**
 * What the page writes is written by whoever asked for the link, for the reason that they gave (contract 30.5.3). A
 * session cookie that the browser happens to have counts for nothing.
 */
export function asLinkCreator(context: BackgroundContext, session: SessionRow): BackgroundContext {
  const { actor_type: type, actor_id: id, actor_user_id: userId, actor_name: name } = session;
  return {
    ...context,
    principal: {
      kind: 'key',
      id: id ?? session.id,
      scope: 'full_access',
      actor: { type: type as 'user' | 'agent' | 'system', id, userId, name },
      memberId: null,
      session: null,
    },
    request: { ...context.request, surface: 'hosted_link', reason: session.label },
  };
}
