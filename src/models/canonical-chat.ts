type Fields = Readonly<Record<string, unknown>>;

/**
 * An answer of a chat completion in the form that OpenAI gives it, whatever a model server of one's own leaves out or
 * writes in another way (contract 60.5). What is no such answer is returned as it is.
 */
export function canonicalChat(body: string): string {
  const answer = readJson(body);
  if (!isFields(answer) || !Array.isArray(answer['choices'])) return body;
  const choices = (answer['choices'] as unknown[]).map((choice) =>
    isFields(choice) ? canonicalChoice(choice) : choice,
  );
  return JSON.stringify({ ...answer, choices });
}

function canonicalChoice(choice: Fields): Fields {
  const message = isFields(choice['message']) ? choice['message'] : {};
  const { tool_calls: listed, function_call: legacy, content, ...rest } = message;
  const found =
    Array.isArray(listed) && listed.length > 0 ? (listed as unknown[]) : legacy ? [{ function: legacy }] : [];
  const ids = new Set<string>();
  const calls = found.filter(isFields).map((call) => canonicalCall(call, ids));
  return {
    ...choice,
    message: {
      ...rest,
      role: 'assistant',
      content: textOf(content),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  };
}

/** Some servers give a call no id, or all calls of an answer the same one. */
function canonicalCall(call: Fields, ids: Set<string>): Fields {
  const wanted = isFields(call['function']) ? call['function'] : call;
  const own = typeof call['id'] === 'string' && call['id'] !== '' && !ids.has(call['id']) ? call['id'] : undefined;
  const id = own ?? freeId(ids);
  ids.add(id);
  return { id, type: 'function', function: { name: wanted['name'], arguments: argumentsOf(wanted['arguments']) } };
}

function freeId(ids: ReadonlySet<string>): string {
  let number = ids.size + 1;
  while (ids.has(`call_${number}`)) number += 1;
  return `call_${number}`;
}

/** As text. Nothing at all means none. */
function argumentsOf(given: unknown): string {
  if (given === undefined || given === null) return '{}';
  if (typeof given !== 'string') return JSON.stringify(given);
  return given.trim() === '' ? '{}' : given;
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part: unknown) =>
    isFields(part) && typeof part['text'] === 'string' ? part['text'] : '',
  );
  return texts.join('');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
