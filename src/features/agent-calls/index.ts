export { deleteOldCalls } from './delete-old-calls.ts';
export { readAgentSettings, type AgentSettingValues } from './agent-settings.ts';
export { boundedArguments, storeCall, type CallOutcome } from './store-call.ts';
