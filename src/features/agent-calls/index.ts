export { deleteOldCalls, readAgentSettings, type AgentSettingValues } from './agent-settings.ts';
export { boundedArguments, noteChangeSet, storeCall, type CallOutcome } from './store-call.ts';
