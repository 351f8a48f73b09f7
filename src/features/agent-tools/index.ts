export type { CallRecord, PlanRequest } from './agent-call.ts';
export type { AgentCaller } from './call-record.ts';
export { tools } from './all-tools.ts';
export { callOperation, replyOf } from './call-operation.ts';
export { callTool, UnknownTool } from './call-tool.ts';
export { INSTRUCTIONS, guideText } from './guides/guides.ts';
export { listedTool, toolsForModel } from './listed-tools.ts';
export { rightInRun, toolsOf } from './tools-of-runs.ts';
