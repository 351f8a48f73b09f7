import { AppError } from '../../kernel/errors.ts';
import type { Model, ModelChoice } from '../../models/model.ts';
import type { Instance } from '../handler.ts';
import { addressOf, modelRefusal, OWN_ADDRESSES, readWithKey } from './model-settings.ts';

/**
 * The model of a run, with the address and key that count now. Whoever opens it closes it.
 * @throws MODEL_NOT_CONFIGURED, AUTH_NOT_CONFIGURED if the settings no longer allow it
 */
export async function openModel(instance: Instance, choice: ModelChoice): Promise<Model> {
  if (instance.standInModel) return instance.standInModel(choice);
  const { settings, key } = await instance.database.read((tx) => readWithKey(tx, instance));
  const refusal = modelRefusal(settings, choice);
  if (refusal) throw refusal;
  const baseUrl = addressOf(settings);
  if (baseUrl === null) throw new AppError('MODEL_NOT_CONFIGURED', 'The address of the model server is missing.');
  const { createSdkModel } = await import('../../models/sdk-model.ts');
  return createSdkModel({
    choice,
    baseUrl,
    isOwnAddress: baseUrl === OWN_ADDRESSES[choice.provider],
    key,
    userAgent: `homeledger/${instance.version}`,
    resolveHost: instance.resolveHost,
    now: () => instance.clock.now(),
  });
}
