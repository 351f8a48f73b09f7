import { AppError, notFound, whereToLook } from '../../../kernel/errors.ts';

/** The tool that shows the ids of each kind. Two of them have names that nobody would guess. */
const SHOWN_BY: ReadonlyMap<string, string> = new Map([
  ['household member', 'get_overview'],
  ['connection', 'get_sync_status'],
  ['account', 'list_accounts'],
  ['transaction', 'query_transactions'],
  ['category', 'list_categories'],
  ['tag', 'list_tags'],
  ['series', 'list_series'],
  ['counterparty', 'list_counterparties'],
  ['rule', 'list_rules'],
  ['import', 'list_imports'],
  ['change set', 'list_change_sets'],
  ['account link', 'list_account_links'],
  ['transaction match', 'list_account_links'],
  ['workflow', 'list_workflows'],
  ['run', 'list_workflows'],
  ['proposal', 'list_proposals'],
  ['report', 'list_reports'],
]);

/** The refusal as an agent can follow it: where it sends the reader to a list, it names the tool. */
export function namingTools({ code, message, extra }: AppError): AppError {
  const { details, members, beside } = extra;
  return new AppError(code, inToolNames(message), {
    ...extra,
    ...(details ? { details: details.map((one) => ({ ...one, message: inToolNames(one.message) })) } : {}),
    ...(members ? { members: renamed(members) } : {}),
    ...(beside ? { beside: renamed(beside) } : {}),
  });
}

function renamed<T extends object>(results: T): T {
  return JSON.parse(JSON.stringify(results), (_, value: unknown) =>
    typeof value === 'string' ? inToolNames(value) : value,
  ) as T;
}

function inToolNames(text: string): string {
  let named = text;
  for (const [kind, tool] of SHOWN_BY) {
    const absent = notFound(kind).message;
    if (named === absent) return `${absent} ${whereToLook(kind, tool)}`;
    named = named.replaceAll(whereToLook(kind), whereToLook(kind, tool));
  }
  return named;
}
