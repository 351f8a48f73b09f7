import { z } from 'zod';

/** The errors of a provider, in its own words. */
const MODEL_ERRORS = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'quota',
  'bad_request',
  'too_large',
  'context_too_long',
  'server_error',
  'overloaded',
] as const;
export type ModelErrorName = (typeof MODEL_ERRORS)[number];

const count = z.int().min(0);

/** What the simulated model does with one request. Everything is optional: `{}` is an answer without words. */
export const ReplySchema = z.strictObject({
  text: z.string().default(''),
  /** Thought before the answer; sent as each provider sends it. */
  reasoning: z.string().optional(),
  tool_calls: z
    .array(
      z.strictObject({
        name: z.string(),
        /** Text is sent as the model wrote it, whether it is JSON or not. */
        arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).default({}),
        /** The id of the call; two calls can be given the same one, as some servers do. */
        id: z.string().optional(),
      }),
    )
    .default([]),
  /** Follows from the rest unless given. */
  finish: z.enum(['stop', 'tool_calls', 'length', 'refusal']).optional(),
  /** Tokens; what is left out is counted from the characters. `null`: the server sends no usage at all. */
  usage: z
    .strictObject({
      input: count.optional(),
      output: count.optional(),
      cache_read: count.optional(),
      cache_write: count.optional(),
      reasoning: count.optional(),
    })
    .nullable()
    .optional(),
  delay_ms: count.default(0),
  error: z.enum(MODEL_ERRORS).optional(),
  /** Of the error. */
  message: z.string().optional(),
  /** Seconds, of the errors `rate_limited` and `overloaded`. */
  retry_after: z.number().min(0).optional(),
  /** An answer that no provider would send, as it is. */
  raw: z
    .strictObject({
      status: z.int().min(200).max(599).default(200),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.string(),
    })
    .optional(),
  /** `drop`: closed without an answer; `cut`: closed in its middle; `endless`: it never ends; `never`: it never begins. */
  connection: z.enum(['drop', 'cut', 'endless', 'never']).optional(),
  /** Makes the text at least so long. */
  text_chars: z.int().min(1).max(100_000_000).optional(),
});

export type Reply = z.output<typeof ReplySchema>;
export type ReplyInput = z.input<typeof ReplySchema>;

export interface Usage {
  /** Not counting what was read from the cache or written to it. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Of the output. */
  reasoning: number;
}

/** A reply ready to be sent. */
export interface MadeAnswer extends Reply {
  model: string;
  /** Null: the server says nothing about it. */
  measured: Usage | null;
  finish: NonNullable<Reply['finish']>;
}
