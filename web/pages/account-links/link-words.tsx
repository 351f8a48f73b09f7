import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getAccountLink } from '../../../src/features/account-links/account-links.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { Banner, type Tone } from '../../components/banner.tsx';
import { formatMoney } from '../../components/money.tsx';
import { usePrivacy } from '../../lib/privacy.ts';
import { counted } from '../../lib/numbers.ts';

export type AccountLink = OutputOf<typeof getAccountLink>;
export type Warning = AccountLink['warnings'][number];

/** The choices of a tolerance. */
export const TOLERANCES = Array.from({ length: LIMITS.matchToleranceDays + 1 }, (_, days) => ({
  value: String(days),
  label: toleranceInWords(days),
}));

export function toleranceInWords(days: number): string {
  if (days === 0) return 'The same day';
  return days === 1 ? 'Up to 1 day apart' : `Up to ${days} days apart`;
}

/** What a warning means, and what to do about it. */
const WARNINGS: Readonly<Record<Warning, { tone?: Tone; title: string; advice: string }>> = {
  few_matches: {
    title: 'Few transactions match',
    advice:
      'Fewer than half of the copies have a match. Try another tolerance, or check that these show the same card.',
  },
  whole_account: {
    tone: 'info',
    title: 'The copy shows everything',
    advice:
      'Nearly all transactions of the card are in the copy, so all of them are attributed to one person. If the copy shows everybody’s purchases, switch attribution off.',
  },
  uncovered_rows: {
    title: 'The primary account lacks history',
    advice:
      'Some copies fall outside the dates that the primary account covers. Import its history, or check that it still syncs.',
  },
  primary_not_counted: {
    title: 'The primary account does not count either',
    advice: 'It is also left out of totals, so these purchases are in no total at all.',
  },
  no_spender: {
    tone: 'info',
    title: 'Nobody to attribute to',
    advice: 'The copy has no owner, or the same one as the primary account. Set its owner, or switch attribution off.',
  },
};

type Totals = AccountLink['unmatched_dependent_totals'];

interface WarningsProps {
  warnings: readonly Warning[];
  totals: Totals;
  isInCard?: boolean;
}

/** The warnings of a link in words, with the money that stands in no total. */
export function Warnings({ warnings, totals, isInCard = false }: WarningsProps) {
  return (
    <>
      {warnings.map((warning) => (
        <Banner
          key={warning}
          tone={WARNINGS[warning].tone ?? 'warning'}
          title={WARNINGS[warning].title}
          isPlain={isInCard}
        >
          <p>{WARNINGS[warning].advice}</p>
          {(warning === 'few_matches' || warning === 'uncovered_rows') && totals.length > 0 && (
            <p className="mt-1">
              <Missing totals={totals} />
            </p>
          )}
        </Banner>
      ))}
    </>
  );
}

/** The unmatched money of the copy, one clause per currency. */
export function Missing({ totals }: { totals: Totals }) {
  usePrivacy();
  const parts = totals.map(
    ({ transaction_count: count, money_out: out, money_in: inward, iso_currency_code: currency }) =>
      `${counted(count, 'transaction')} (${formatMoney(out, currency)} out, ${formatMoney(inward, currency)} in)`,
  );
  return `In no total: ${parts.join('; ')}.`;
}

/** Whose name matched purchases get. */
export function attributionInWords({ attribute, dependent_user_name: name }: AccountLink): string {
  if (!attribute) return 'Nobody';
  return name ?? 'Nobody, because the copy has no owner';
}
