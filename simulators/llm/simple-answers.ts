import type { Conversation } from './conversation.ts';
import type { ReplyInput } from './reply.ts';

/** What any model can do: say a word, repeat a code word, call a tool that it is told to call. */
export function simpleAnswer({ system, turns, tools }: Conversation): ReplyInput {
  const last = turns.at(-1);
  const asked = last?.role === 'user' ? last.text : '';
  const word = /one word: (\w+)/i.exec(asked)?.[1];
  if (word !== undefined) return { text: `${word}.` };
  if (/code word/i.test(asked)) {
    const code = /code word is (\S+?)\.?(\s|$)/i.exec(system)?.[1];
    return { text: code ?? 'I was not told a code word.' };
  }
  const tool = tools.find(({ name }) => asked.includes(name));
  if (!tool) return { text: 'Done.' };
  const quoted = [...asked.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
  const names = Object.keys(tool.schema['properties'] ?? {});
  const given = Object.fromEntries(names.map((name, index) => [name, quoted[index] ?? '']));
  return { tool_calls: [{ name: tool.name, arguments: given }] };
}
