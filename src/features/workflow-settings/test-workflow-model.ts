import { elapsedSince, startTimer } from '../../kernel/clock.ts';
import { dollarsOf } from '../../kernel/dollars.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ModelFailure, type ModelFailureKind } from '../../models/model.ts';
import { tools, toolsForModel } from '../agent-tools/index.ts';
import { handleBackground } from '../handler.ts';
import { BUILT_IN_SYSTEM_PROMPT, composePrompt, findPreset, toolsOfPreset } from '../workflow-presets/index.ts';
import { costOf } from './model-prices.ts';
import { modelFor, modelRefusal, priceOf, readWithKey, switchedOff } from './model-settings.ts';
import { tryModel } from './model-trials.ts';
import { openModel } from './open-model.ts';
import { testWorkflowModel as operation } from './workflow-settings.contract.ts';

/** Asks a model two or three things (contract 60.7). It leaves nothing behind. */
export const testWorkflowModel = handleBackground(operation, async ({ instance }, { body }) => {
  const { settings, key } = await instance.database.read((tx) => readWithKey(tx, instance));
  if (!settings.isEnabled) throw switchedOff();
  const choice = modelFor(settings, { tier: body.model_tier, model: null });
  const refusal = modelRefusal(settings, choice);
  if (refusal || !choice) throw refusal ?? new AppError('MODEL_NOT_CONFIGURED', 'No model is named for this tier.');
  const model = await openModel(instance, choice);
  const signal = AbortSignal.any([AbortSignal.timeout(LIMITS.modelTestMs), instance.draining]);
  const filler = choice.provider === 'openai_compatible' ? longText() : null;
  const began = startTimer();
  try {
    const { text, usage, ...found } = await tryModel(model, {
      signal,
      random: instance.random,
      longText: filler,
      tools: toolsForModel(reviewerTools()),
    });
    const price = priceOf(settings, choice.name);
    return {
      provider: choice.provider,
      model: choice.name,
      duration_ms: Math.round(elapsedSince(began)),
      total_cost_usd: price && dollarsOf(costOf(usage, price)),
      input_tokens: usage.input + usage.cacheRead + usage.cacheCreation,
      output_tokens: usage.output,
      response: shown(text, key),
      supports_tools: found.supportsTools,
      context_ok: found.isContextOk,
      problems: found.problems.map(({ check, message }) => ({ check, message: shown(message, key) })),
    };
  } catch (error) {
    if (instance.isDraining()) throw new AppError('UNAVAILABLE', 'The service is stopping, so the test was ended.');
    throw providerError(error, signal);
  } finally {
    await model.close();
  }
});

/**
 * What a run of `routine-reviewer` begins with, repeated until it fills as many tokens as the run will want of the
 * context: it counts three characters as one, which four or more are, and leaves room for what follows.
 */
function longText(): string {
  const preset = reviewer();
  const prompt = composePrompt({ blocks: preset.prompt_blocks, preset, options: {}, extraInstructions: null });
  const text = [BUILT_IN_SYSTEM_PROMPT, prompt, JSON.stringify(toolsForModel(reviewerTools()))].join('\n\n');
  const wantedChars = 4 * (text.length / 3 + ROOM_TOKENS);
  return `${text}\n\n`.repeat(Math.ceil(wantedChars / text.length)).slice(0, wantedChars);
}

function reviewerTools(): readonly string[] {
  return toolsOfPreset(
    reviewer(),
    tools.map(({ info }) => info.name),
  );
}

function reviewer() {
  const preset = findPreset('routine-reviewer');
  if (!preset) throw new Error('The preset routine-reviewer is missing.');
  return preset;
}

const ROOM_TOKENS = 2_000;

/** A server could send back the key that it was sent. */
function shown(text: string, key: string | null): string {
  const safe = key === null ? text : text.replaceAll(key, '***');
  return safe.slice(0, LIMITS.modelMessageChars).toWellFormed();
}

const SENTENCES: Readonly<Record<ModelFailureKind, string>> = {
  auth: 'The model provider does not accept the key. Check api_key.',
  busy: 'The model provider is busy or has failed. Try again in a few minutes.',
  refused: 'The model server refused the request. Check the model name and base_url.',
  network: 'The model server cannot be reached. Check base_url, and whether the server is running.',
  context_too_long: 'Even a short request is too long for the context of this model.',
};

/** Our own sentence; what the server said is in the details. */
function providerError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ModelFailure) {
    const details = [{ path: 'model_server', message: error.message }];
    return new AppError('PROVIDER_ERROR', SENTENCES[error.kind], { details });
  }
  if (!signal.aborted) return error;
  return new AppError('PROVIDER_ERROR', `The model did not answer within ${LIMITS.modelTestMs / 60_000} minutes.`);
}
