import { handleBackground } from '../handler.ts';
import { configuredProviders } from '../providers/index.ts';
import { resultsOf } from './hosted-links.queries.ts';
import { readLinkPage as operation } from './link-page.contract.ts';
import { useSession } from './link-guard.ts';

export const readLinkPage = handleBackground(operation, async ({ instance }, { params }) => {
  const session = await useSession(instance, params.token);
  const configured = await instance.database.read((tx) => configuredProviders(tx, instance));
  return {
    id: session.id,
    short_id: session.short_id,
    provider: session.provider,
    action: session.action as 'link' | 'relink',
    single_use: session.is_single_use === 1,
    label: session.label,
    redirect_url: session.redirect_url,
    status: session.status,
    user_name: session.user_name,
    institution_name: session.institution_name,
    result_connection_ids: resultsOf(session),
    providers: session.provider === '' ? configured : [session.provider],
    expires_at: session.expires_at,
  };
});
