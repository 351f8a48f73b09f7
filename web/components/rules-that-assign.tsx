import { listRules } from '../../src/features/rules/rules.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { RuleName } from './rule/rule-name.tsx';
import { Loaded } from './skeleton.tsx';

/** The rules that put transactions into a counterparty or series. */
export function RulesThatAssign({
  of,
  empty,
}: {
  of: { counterparty_id: string } | { series_id: string };
  empty: string;
}) {
  const rules = useApiQuery(listRules, { query: { ...of, limit: '500' } });
  return (
    <section className="mt-6">
      <h3 className="mb-2 font-semibold">Rules that assign it</h3>
      <Loaded query={rules} lines={2}>
        {({ rules: found }) =>
          found.length === 0 ? (
            <p className="text-muted">{empty}</p>
          ) : (
            <ul className="list-disc pl-5">
              {found.map(({ id, short_id: shortId, name, enabled }) => (
                <li key={id} className="wrap-anywhere">
                  <RuleName id={shortId} name={name} />
                  {!enabled && <span className="text-muted"> (switched off)</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
