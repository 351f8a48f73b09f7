import { parseActions } from '../../engines/rules/parse-actions.ts';
import { parseCondition } from '../../engines/rules/parse-condition.ts';
import { Problems } from '../../engines/rules/problems.ts';
import { WantedRecords, type References } from '../../engines/rules/references.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import { AppError } from '../../kernel/errors.ts';

/** Condition and actions of a rule in their stored form; ids of what is still to be made are placeholders. */
export interface Definition {
  condition: StoredCondition;
  actions: readonly StoredAction[];
}

/** Reads the rules of one request: what two of them want to be made is made once. */
export interface DefinitionReader {
  wanted: WantedRecords;
  /** `path` leads to the rule in the body: empty, or `rules[2].`. */
  read(body: { condition?: unknown; actions?: unknown }, path: string, previous?: Definition): Definition;
  /** Only the parts that the body has; preview knows rules without actions. */
  readParts(body: { condition?: unknown; actions?: unknown }, path: string, previous?: Definition): Partial<Definition>;
  /** @throws VALIDATION_ERROR or INVALID_PARAMETER with a detail per problem */
  refuseProblems(): void;
}

export function readDefinitions(references: References): DefinitionReader {
  const problems = new Problems();
  const wanted = new WantedRecords();
  const context = { references, wanted, problems };
  const reader: DefinitionReader = {
    wanted,
    read(body, path, previous) {
      const { condition, actions } = reader.readParts({ actions: undefined, ...body }, path, previous);
      return { condition: condition ?? {}, actions: actions ?? [] };
    },
    readParts(body, path, previous) {
      return {
        ...('condition' in body
          ? {
              condition: parseCondition(body.condition, `${path}condition`, {
                ...context,
                ...(previous ? { previous: previous.condition } : {}),
              }),
            }
          : {}),
        ...('actions' in body
          ? {
              actions: parseActions(body.actions, `${path}actions`, {
                ...context,
                ...(previous ? { previous: previous.actions } : {}),
              }),
            }
          : {}),
      };
    },
    refuseProblems() {
      const [first] = problems.list;
      if (!first) return;
      const details = problems.list.map(({ path, message }) => ({ path, message }));
      throw new AppError(first.code, `${first.path}: ${first.message}.`, { details });
    },
  };
  return reader;
}
