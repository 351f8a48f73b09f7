export { BLOCKS } from './blocks.ts';
export { BUILT_IN_SYSTEM_PROMPT, composePrompt, readOptions } from './compose-prompt.ts';
export { PRESETS, findPreset, toolsOfPreset, type Preset } from './presets.ts';
