import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError } from '../../kernel/errors.ts';
import { microsOf } from '../../kernel/dollars.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { isHomeHost } from '../../kernel/network.ts';
import type { ModelChoice, ModelProviderName, ModelTier } from '../../models/model.ts';
import type { Config } from '../../kernel/config.ts';
import type { Instance } from '../handler.ts';
import { findModelKey, type StoredKey } from './model-key.ts';
import { priceIn, SHIPPED_MODELS, type Price, type PriceRow } from './model-prices.ts';
import { storedSettings, type StoredSettings } from './stored-settings.ts';

/** The settings of contract 60.7 that count now: environment beats stored values. They hold no secret. */
export interface ModelSettings {
  isEnabled: boolean;
  provider: ModelProviderName | null;
  /** The default model, and that of each tier; null where none is named. */
  model: string | null;
  models: Readonly<Record<ModelTier, string | null>>;
  /** The context that the model server really gives; null if not known. */
  contextTokens: number | null;
  /** null: the provider's own address. */
  baseUrl: string | null;
  /** Where the key comes from that would be sent; null without one. */
  keySource: 'settings' | 'env' | null;
  /** Its last characters, if it is long enough for them to give nothing away. */
  keyHint: string | null;
  /** Fields that environment variables set. */
  fromEnv: readonly EnvField[];
  maxConcurrent: number;
  /** What the household spends at most in 30 days, in millionths of a dollar; null: no ceiling. */
  ceilingMicros: number | null;
  runRetentionDays: number;
  proposalTtlDays: number;
  /** The household's own prices. */
  prices: readonly PriceRow[];
}

export type EnvField = 'provider' | 'model' | 'base_url' | 'api_key';

/** Where models are if no base URL is set. A model server of another maker has no such address. */
export const OWN_ADDRESSES: Readonly<Record<ModelProviderName, string | null>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  openai_compatible: null,
};

export async function readModelSettings(tx: ReadTx, instance: Instance): Promise<ModelSettings> {
  return (await readWithKey(tx, instance)).settings;
}

/** The settings with the key that may be sent to their address. */
export async function readWithKey(
  tx: ReadTx,
  instance: Instance,
): Promise<{ settings: ModelSettings; key: string | null }> {
  const stored = await storedSettings.read(tx);
  const given = await findModelKey(tx, instance);
  return settingsInForce(instance.config.models, stored, given);
}

/** Pure, so that a change can be judged before it is stored. */
export function settingsInForce(
  variables: Config['models'],
  stored: StoredSettings,
  given: StoredKey | undefined,
): { settings: ModelSettings; key: string | null } {
  const provider = variables.provider ?? stored.provider;
  const isOpenAi = provider === 'openai' || provider === 'openai_compatible';
  const envUrl = isOpenAi ? variables.openAiBaseUrl : null;
  const baseUrl = envUrl ?? stored.base_url;
  const envKey = keyFromEnvironment(variables, provider, baseUrl, envUrl !== null);
  const isMeantForThis = given !== undefined && given.provider === provider && given.baseUrl === baseUrl;
  const key = envKey ?? (isMeantForThis ? given.key : null);
  const fromEnv: [EnvField, boolean][] = [
    ['provider', variables.provider !== null],
    ['model', variables.model !== null],
    ['base_url', envUrl !== null],
    ['api_key', envKey !== null],
  ];
  const settings: ModelSettings = {
    isEnabled: stored.enabled,
    provider,
    model: variables.model ?? stored.model,
    models: stored.models,
    contextTokens: stored.context_tokens,
    baseUrl,
    keySource: envKey !== null ? 'env' : key !== null ? 'settings' : null,
    keyHint: key !== null && key.length >= LIMITS.modelHintedChars ? key.slice(-LIMITS.modelHintChars) : null,
    fromEnv: fromEnv.flatMap(([field, isSet]) => (isSet ? [field] : [])),
    maxConcurrent: stored.max_concurrent,
    ceilingMicros: stored.global_max_budget_usd === null ? null : microsOf(stored.global_max_budget_usd),
    runRetentionDays: stored.run_retention_days,
    proposalTtlDays: stored.proposal_ttl_days,
    prices: stored.prices,
  };
  return { settings, key };
}

/** Other programs use these variables too: a key from one goes only to its maker, or where the environment says itself. */
function keyFromEnvironment(
  { anthropicKey, openAiKey }: Config['models'],
  provider: ModelProviderName | null,
  baseUrl: string | null,
  isUrlFromEnvironment: boolean,
): string | null {
  if (provider === null) return null;
  const isOwnAddress =
    (baseUrl ?? OWN_ADDRESSES[provider]) === OWN_ADDRESSES[provider] && provider !== 'openai_compatible';
  if (!isOwnAddress && !isUrlFromEnvironment) return null;
  return provider === 'anthropic' ? anthropicKey : openAiKey;
}

/** Which model a workflow uses; null if no provider is chosen or no model named. */
export function modelFor(
  { provider, model, models }: ModelSettings,
  wanted: { tier: ModelTier; model: string | null },
): ModelChoice | null {
  if (provider === null) return null;
  const name =
    wanted.model ?? models[wanted.tier] ?? model ?? (provider === 'anthropic' ? SHIPPED_MODELS[wanted.tier] : null);
  return name === null ? null : { provider, name };
}

export function priceOf({ prices }: ModelSettings, model: string): Price | null {
  return priceIn(prices, model);
}

/** Where requests go; null while that is not known. */
export function addressOf({ provider, baseUrl }: ModelSettings): string | null {
  return baseUrl ?? (provider === null ? null : OWN_ADDRESSES[provider]);
}

/** Whether nothing leaves the house: the model server is on this machine or in the home network. */
function isAtHome(settings: ModelSettings): boolean {
  const address = addressOf(settings);
  return address !== null && isHomeHost(new URL(address).hostname);
}

export function hasKeyItNeeds({ provider, keySource }: ModelSettings): boolean {
  return provider !== null && (keySource !== null || provider === 'openai_compatible');
}

export type Readiness = 'ready' | 'MODEL_NOT_CONFIGURED' | 'AUTH_NOT_CONFIGURED';

/** Gates 3 and 4 of contract 60.4. */
export function modelReadiness(settings: ModelSettings, choice: ModelChoice | null): Readiness {
  return findMissing(settings, choice)?.code ?? 'ready';
}

export function switchedOff(): AppError {
  return new AppError('AGENTS_DISABLED', 'Workflows are switched off. Set enabled in the workflow settings.');
}

/** The same gates as an error for whoever asked; undefined if the model can be used. */
export function modelRefusal(settings: ModelSettings, choice: ModelChoice | null): AppError | undefined {
  const missing = findMissing(settings, choice);
  return missing && new AppError(missing.code, missing.message);
}

function findMissing(
  settings: ModelSettings,
  choice: ModelChoice | null,
): { code: Exclude<Readiness, 'ready'>; message: string } | undefined {
  const { provider, ceilingMicros } = settings;
  const unconfigured = (message: string): ReturnType<typeof findMissing> => ({ code: 'MODEL_NOT_CONFIGURED', message });
  if (provider === null) return unconfigured('No model provider is chosen. Set provider in the workflow settings.');
  if (choice === null || choice.provider !== provider) {
    return unconfigured('No model is named for this tier. Set model, or the tier in models, in the workflow settings.');
  }
  if (addressOf(settings) === null) {
    return unconfigured('The address of the model server is missing. Set base_url in the workflow settings.');
  }
  if (ceilingMicros !== null && priceOf(settings, choice.name) === null && !isAtHome(settings)) {
    return unconfigured(
      'global_max_budget_usd is set, but this model has no price, so the ceiling could not hold. Add its price to prices in the workflow settings.',
    );
  }
  if (hasKeyItNeeds(settings)) return undefined;
  return {
    code: 'AUTH_NOT_CONFIGURED',
    message: 'The model provider needs a key. Set api_key in the workflow settings.',
  };
}
