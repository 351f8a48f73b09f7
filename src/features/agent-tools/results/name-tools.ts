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
  return new AppError(code, named(message), {
    ...extra,
    ...(details ? { details: inToolNames(details) } : {}),
    ...(members ? { members: inToolNames(members) } : {}),
    ...(beside ? { beside: inToolNames(beside) } : {}),
  });
}

/** The same for the refusals inside of a result. */
export function inToolNames<T extends object>(results: T): T {
  return JSON.parse(JSON.stringify(results), (_, value: unknown) =>
    typeof value === 'string' ? named(value) : value,
  ) as T;
}

function named(text: string): string {
  let shown = text;
  for (const [kind, tool] of SHOWN_BY) {
    const absent = notFound(kind).message;
    if (shown === absent) return `${absent} ${whereToLook(kind, tool)}`;
    shown = shown.replaceAll(whereToLook(kind), whereToLook(kind, tool));
  }
  return shown;
}
