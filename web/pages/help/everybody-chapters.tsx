import { Chapter, Links, ToGuide, ToPage } from './chapter.tsx';
import { PICTURES } from './pictures.ts';

/** Who else works with the ledger, and from where. */

const ROLES = [
  ['Viewer', 'sees all accounts, transactions and reports, and changes nothing.'],
  ['Editor', 'also imports, reviews, and changes transactions, categories and rules.'],
  ['Admin', 'also invites people, makes keys, and changes settings.'],
] as const;

export function SharingChapter() {
  return (
    <Chapter id="share" title="Share it with your partner">
      <p>
        Add the other person under Household, choose Invite, and send them the link. It is shown once and works for
        seven days; with it they set a password of their own.
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        {ROLES.map(([role, can]) => (
          <div key={role} className="contents">
            <dt className="font-semibold">{role}</dt>
            <dd>{can}</dd>
          </div>
        ))}
      </dl>
      <p>
        Everybody sees the same ledger: there are no private accounts. An account has an owner, and a transaction can be
        somebody else’s, so home and lists can show what one of you spent, and History says who changed what. Children
        and others who never sign in are members, too.
      </p>
      <Links>
        <ToPage to="/household">Household</ToPage>
        <ToGuide name="first-steps" />
      </Links>
    </Chapter>
  );
}

export function PhoneChapter() {
  return (
    <Chapter id="phone" title="On a phone" picture={PICTURES.phone}>
      <p>
        In your home network, open the address that System names under “Phones at home open”. If it says “Nothing yet”,
        the server listens on its own computer only; System says what to set.
      </p>
      <p>
        For use away from home, and to install Homeledger as an app, the address has to begin with https: the guide has
        an example. Then choose Install app or Add to home screen in the menu of the browser. Where the address begins
        with https, or is that of this machine, the app opens while the server is away. Browsers allow neither at other
        addresses. What stays on the device is the program, and nothing of your household.
      </p>
      <Links>
        <ToPage to="/settings/system">System</ToPage>
        <ToGuide name="running" />
        <ToGuide name="notifications" />
      </Links>
    </Chapter>
  );
}

export function AgentsChapter() {
  return (
    <Chapter id="agents" title="Let an agent help">
      <p>
        An AI agent, such as Claude, can read the ledger and work on it. Under Agents you make a key with which it may
        only propose: what it wants to change waits under Proposals, with every value before and after, until one of you
        approves it. Whatever was approved can be undone.
      </p>
      <p>
        A workflow is an agent that starts by itself. It can file what a sync brought, or report every week where the
        money went. Its model may run on a machine of yours. What it writes to you is under Reports.
      </p>
      <Links>
        <ToPage to="/settings/agents">Agents</ToPage>
        <ToPage to="/proposals">Proposals</ToPage>
        <ToPage to="/workflows">Workflows</ToPage>
        <ToGuide name="agents" />
        <ToGuide name="workflows" />
      </Links>
    </Chapter>
  );
}
