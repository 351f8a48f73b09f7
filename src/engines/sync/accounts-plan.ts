/** Which household account a reported one is: the input of planning, and its decisions (contract 30.8.1). */

export interface Institution {
  /** The provider's id of the bank. */
  readonly id: string | null;
  readonly name: string | null;
}

/** An account as the provider lists it. */
export interface ReportedAccount {
  readonly externalId: string;
  readonly persistentId: string | null;
  readonly name: string;
  readonly officialName: string | null;
  readonly type: string;
  readonly subtype: string | null;
  readonly mask: string | null;
  /** Set if one item spans several banks: then it is compared instead of the item's. */
  readonly institution: Institution | null;
}

/** An account that a reported one may be. The caller offers more than can match; planning filters them. */
export interface AccountCandidate {
  readonly id: string;
  /**
   * `same`: of this connection, whatever the provider reports now; `former`: fed by a now disconnected connection of
   * the same member; `csv`: of the same member, fed by files or by hand.
   */
  readonly source: 'same' | 'former' | 'csv';
  /** The provider that fed it. */
  readonly provider: string;
  readonly institution: Institution;
  readonly persistentId: string | null;
  readonly name: string;
  readonly officialName: string | null;
  readonly type: string;
  readonly subtype: string | null;
  readonly mask: string | null;
  readonly createdAt: string;
}

export interface AccountsToPlan {
  readonly provider: string;
  /** The item's institution. */
  readonly institution: Institution;
  readonly reported: readonly ReportedAccount[];
  /** External account id → account id, of this provider. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly candidates: readonly AccountCandidate[];
}

export interface AccountDecision {
  readonly externalId: string;
  /** null: a new account. */
  readonly accountId: string | null;
  readonly rule: 'known' | 'persistent_id' | 'mask' | 'name' | 'new';
  /** Accounts among which rules 2b and 2c could not decide: the proof by rows compares them. Warning `account_ambiguous`. */
  readonly undecidedIds: readonly string[];
}
