/** The one interface through which the service reaches banks (contract 30.4.1). Nothing outside this folder names one. */

import type { FailureClass, ProviderError, ProviderFailure } from './provider-failure.ts';
import type { WebhookRequest, WebhookVerdict } from './webhook.ts';

/** How a provider behaves. */
export interface ProviderTraits {
  /** As stored with connections, and the namespace of its ids. */
  readonly name: string;
  readonly displayName: string;
  /** Where a person ends access that could not be revoked, if not simply at the provider. */
  readonly endAccessAt?: string;
  /** `changes` names what was removed; of a `window`, a pending row that is no longer listed is gone. */
  readonly delivery: 'changes' | 'window';
  readonly position: 'connection' | 'account';
  /** `posted`: an id may change when its row is posted; `none`: ids are hints at best. */
  readonly rowIds: 'lasting' | 'posted' | 'none';
  /** null: no limit of the provider's own. */
  readonly minIntervalSeconds: number | null;
  readonly callsPerDay: number | null;
  /** Whether a script of the provider opens the bank's window in the browser. */
  readonly needsLinkSession: boolean;
  /** What the window hands over works once: it is exchanged for the access, which must then not be lost. */
  readonly exchangesTokens?: true;
  readonly capabilities: readonly ('transactions' | 'balances' | 'webhooks' | 'reauth')[];
  /** Whether a renewed login comes with new ids of item and accounts. */
  readonly renewsUnderNewIds: boolean;
  /** Signing in again needs only the id of the item, so access that cannot be decrypted can be renewed. */
  readonly renewsByItemId?: boolean;
}

/** Transactions are typed as in contract 30.7.3, in our sign: positive is money out. */
export interface DeliveredTransaction {
  /** null for providers without row ids. */
  readonly externalId: string | null;
  readonly externalAccountId: string;
  /** The id of the pending row that this posted one continues, if the provider says so. */
  readonly pendingExternalId: string | null;
  readonly pending: boolean;
  readonly date: string;
  readonly authorizedDate: string | null;
  readonly datetime: string | null;
  readonly authorizedDatetime: string | null;
  readonly amountCents: number;
  /** null: that of the account, unless `hasUnofficialCurrency`. */
  readonly currency: string | null;
  /** Set when it is in a currency without an ISO code, so that the account's is not its own. */
  readonly hasUnofficialCurrency?: boolean;
  readonly name: string;
  readonly merchantName: string | null;
  readonly categoryPrimary: string | null;
  readonly categoryDetailed: string | null;
  readonly categoryConfidence: string | null;
  readonly paymentChannel: 'online' | 'in_store' | 'other' | null;
  /** Whether the provider sent more than two decimals. */
  readonly isRounded: boolean;
  /** As the provider sent it, in JSON. */
  readonly raw: string;
}

/** A row that could not be read (30.7.5). */
export interface UnreadableRow {
  readonly externalId: string | null;
  readonly externalAccountId: string | null;
  /** What is wrong with it, in our words, such as `its amount is not a number`. */
  readonly problem: string;
}

export interface RemovedRow {
  readonly externalId: string;
  readonly externalAccountId: string | null;
}

export interface ProviderItem {
  readonly id: string;
  readonly institutionId: string | null;
  readonly institutionName: string | null;
  /** null: the provider says that there is none; undefined: it says nothing. */
  readonly consentExpiresAt: string | null | undefined;
  /** The address that its webhooks go to; absent where the provider keeps none with the item. */
  readonly webhookUrl?: string | null;
}

/** Something wrong with an item or one of its accounts, also beside data that arrived. */
export interface ProviderProblem {
  readonly scope: 'item' | 'account';
  /** The external account id, for scope `account`. */
  readonly externalAccountId: string | null;
  readonly failureClass: FailureClass;
  readonly code: string;
  readonly providerError: ProviderError | null;
}

export interface ReportedBalance {
  /** Hundredths, in the provider's sense: what is owned, or of credit accounts what is owed. null: not reported. */
  readonly currentCents: number | null;
  readonly availableCents: number | null;
  readonly limitCents: number | null;
  readonly currency: string | null;
  /** The day or instant that the balance is of; null: now. */
  readonly asOf: string | null;
}

export interface DeliveredAccount {
  readonly externalId: string;
  readonly persistentId: string | null;
  readonly name: string;
  readonly officialName: string | null;
  readonly type: 'depository' | 'credit' | 'loan' | 'investment' | 'brokerage' | 'other';
  readonly subtype: string | null;
  readonly mask: string | null;
  readonly currency: string | null;
  readonly isClosed: boolean;
  /** Set when one item spans several banks. */
  readonly institution: { readonly id: string | null; readonly name: string } | null;
  /** null: not read, or not offered for this account. */
  readonly balance: ReportedBalance | null;
}

/** An item and its accounts, as the provider lists them. */
export interface ItemState {
  readonly item: ProviderItem;
  readonly accounts: readonly DeliveredAccount[];
  readonly problems: readonly ProviderProblem[];
}

/** Where an account's last complete read began, and what a window must cover. */
export interface AccountPosition {
  readonly externalAccountId: string;
  readonly position: string | null;
  /** The date of its oldest live pending transaction. */
  readonly oldestPendingDate: string | null;
  /** The window is to start further back, for what the bank books late. */
  readonly isWideReadDue: boolean;
}

export interface FetchRequest {
  /** The position of the connection; null: from the beginning. */
  readonly position: string | null;
  /** Accounts that were read before. One that is not listed is read from the beginning. */
  readonly accounts: readonly AccountPosition[];
  readonly isFull: boolean;
  /** Ends the fetch at once, with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** One part of what a fetch brings, in order. Within a page added rows come first, then modified, then removed ones. */
export type FetchedPart =
  | {
      readonly kind: 'rows';
      readonly rows: readonly DeliveredTransaction[];
      readonly unreadable: readonly UnreadableRow[];
      readonly removed: readonly RemovedRow[];
      /** Ids that the page both adds and removes: what is live under one went and came back. */
      readonly returned?: readonly string[];
    }
  /** Everything fetched so far is void, because the provider's data changed meanwhile. It begins again. */
  | {
      readonly kind: 'restart';
      /** With all that the provider has: the stored position is no longer accepted. */
      readonly isFromBeginning?: boolean;
    };

/** The dates of an account that were read completely, both inclusive; `to` may lie ahead. */
export interface AccountRead {
  readonly externalAccountId: string;
  readonly from: string;
  readonly to: string;
  /** The next position of the account; null where the connection has it. */
  readonly position: string | null;
  readonly isWideRead: boolean;
}

/** How a fetch ended. A fetch that brings nothing of use throws instead. */
export interface FetchOutcome {
  /** null: the accounts could not be read (`balances_failed`), and what is stored of them stays. */
  readonly state: ItemState | null;
  /** null: the stored position stays as it is. */
  readonly position: string | null;
  /** The stored position was no longer accepted, so everything was read again (`cursor_reset`). */
  readonly isPositionReset: boolean;
  /** Everything from the beginning was read, and the provider has its complete history: what is not in it is gone. */
  readonly isCompleteRead: boolean;
  readonly history: 'not_ready' | 'loading' | 'complete';
  /** Accounts that were read; of providers that deliver changes, none. */
  readonly reads: readonly AccountRead[];
  /** All that is wrong, what `state` says included. */
  readonly problems: readonly ProviderProblem[];
  /** Accounts whose balance could not be read. */
  readonly withoutBalance: readonly string[];
  /** The login has no account with transactions, so only accounts and balances were read. */
  readonly hasNoTransactions?: true;
}

/** What stands for the access to an item: it is stored encrypted and shown to nobody. */
export interface Access {
  readonly itemId: string;
  /** The provider's own form, in JSON. */
  readonly credentials: string;
}

/** The answer of link-session, reauth and the hosted page's start (30.4). */
export interface LinkSession {
  readonly provider: string;
  readonly link_token: string;
  readonly expiration: string | null;
  readonly application_id: string | null;
  readonly environment: string | null;
  readonly enrollment_id: string | null;
}

export interface LinkFor {
  /** UUID of the member. */
  readonly memberId: string;
  /** An item to be renewed; null for a new link. */
  readonly renewing: Access | null;
}

/** A provider with the credentials of this household. Every method that calls the provider throws ProviderFailure. */
export interface Provider {
  readonly traits: ProviderTraits;
  createLinkSession(link: LinkFor): Promise<LinkSession>;
  /** Turns what the browser handed over into access. Called once per token; retried only when it surely did not arrive. */
  exchange(credentials: Readonly<Record<string, unknown>>): Promise<Access>;
  /** The item and its accounts; balances only where they come with the list. */
  readItem(access: Access, signal?: AbortSignal): Promise<ItemState>;
  /**
   * Whether the login works (30.5.5, 30.11). `sent` is what the browser handed over after a renewal. Answers the access
   * to store, or null without proof.
   */
  proveLogin(access: Access, sent: Readonly<Record<string, unknown>>): Promise<Access | null>;
  fetch(access: Access, request: FetchRequest): AsyncGenerator<FetchedPart, FetchOutcome>;
  /** Ends the access at the provider. */
  revoke(access: Access, signal?: AbortSignal): Promise<void>;
  /** Brings the address for webhooks up to date after a successful sync, if it differs. */
  updateWebhook(access: Access, state: ItemState): Promise<void>;
  /** Checks the signature of a webhook and reads it; absent where the provider sends none. Never throws. */
  receiveWebhook?(request: WebhookRequest): Promise<WebhookVerdict>;
  /** A live check of the household's credentials and of what a link would ask; never throws. */
  test(): Promise<CredentialTest>;
  /** Closes kept connections when the service ends. Calls that still run fail. */
  close?(): Promise<void>;
}

export interface CredentialTest {
  readonly ok: boolean;
  /** Our own sentence. */
  readonly message: string;
  /** The provider's own, cleaned and without tokens, which mostly names the cure. */
  readonly said?: string | null;
}

/** What providers need of the outside. */
export interface Outside {
  readonly userAgent: string;
  /** Notes a call that the provider refused, for the service's log. */
  refused?(provider: string, path: string, failure: ProviderFailure): void;
  now(): number;
  /** Between 0 and 1. */
  random(): number;
  /** Resolves after that time; rejects with the reason of the signal. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}
