import type { CallOf, OutputOf } from '../../../../src/contract/operation.ts';
import { previewRule } from '../../../../src/features/rules/rule-insights.contract.ts';
import { ApiError } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/queries.ts';
import { useSettled } from '../../../lib/settled.ts';
import { isChosen, type Draft } from './actions.ts';
import type { Problem } from './tree.ts';
import { gapsOf, type Values } from './values.ts';

type Body = NonNullable<CallOf<typeof previewRule>['body']>;
export type Preview = OutputOf<typeof previewRule>;

/** The first counts come within a moment, of the newest rows. All of them are counted after that. */
const FIRST_MS = 300;
const SAMPLES = 10;
const ASKED = { sample_size: SAMPLES, include_conflicts: true } as const;

export interface RulePreview {
  data: Preview | undefined;
  /** What is shown is of the rule as it was before the last change. */
  isOld: boolean;
  /** The rest of the rows is being counted. */
  isCounting: boolean;
  error: Error | null;
  /** What is wrong with the rule, where it is wrong. */
  problems: readonly Problem[];
  /** Something has to be filled in first. */
  isIncomplete: boolean;
  /** The actions that say what they do; of the others, only what matches is known. */
  chosen: readonly Draft[];
  refetch: () => unknown;
}

/** What the rule would do now, asked once there is a pause, and again with every change. */
export function useRulePreview(values: Values, isAllowed: boolean): RulePreview {
  const chosen = (values.actions as readonly Draft[]).filter(isChosen);
  const rule = {
    condition: values.condition ?? {},
    actions: chosen,
    priority: values.priority,
    overwrite_manual: values.overwrite_manual,
    stop: values.stop,
  } as Body;
  const isIncomplete = gapsOf(values).some(({ path }) => !path.startsWith('actions'));
  const settled = useSettled(rule);
  const isSettled = JSON.stringify(settled) === JSON.stringify(rule);
  const enabled = isAllowed && isSettled && !isIncomplete;
  const extras = { placeholderData: (before: Preview | undefined) => before, staleTime: 30_000 };
  const first = useApiQuery(
    previewRule,
    { body: { ...settled, ...ASKED, time_limit_ms: FIRST_MS } },
    { ...extras, enabled },
  );
  const isMore = first.data?.truncated === true && !first.isPlaceholderData;
  const whole = useApiQuery(previewRule, { body: { ...settled, ...ASKED } }, { ...extras, enabled: enabled && isMore });
  const isWhole = isMore && whole.data !== undefined && !whole.isPlaceholderData;
  const error = enabled ? (first.error ?? (isMore ? whole.error : null)) : null;
  return {
    data: isIncomplete || error !== null ? undefined : isWhole ? whole.data : first.data,
    isOld: !isSettled || first.isPlaceholderData,
    isCounting: isMore && !isWhole && whole.isFetching,
    error,
    problems: error instanceof ApiError ? placed(error, values.actions as readonly Draft[]) : [],
    isIncomplete,
    chosen,
    refetch: isMore ? whole.refetch : first.refetch,
  };
}

/** Only chosen actions are sent, so their places in the answer are others. */
function placed(error: ApiError, actions: readonly Draft[]): readonly Problem[] {
  const places = actions.flatMap((action, at) => (isChosen(action) ? [at] : []));
  return (error.body.error.details ?? []).map(({ path, message }) => ({
    path: path.replace(/^actions\[(\d+)\]/, (_, at: string) => `actions[${places[Number(at)] ?? at}]`),
    message,
  }));
}
