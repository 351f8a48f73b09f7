export { BLOCKS, findBlock, type Block } from './blocks.ts';
export { composePrompt, type PromptParts } from './compose-prompt.ts';
export { PRESETS, findPreset, toolsOfPreset, type Preset, type PresetOption } from './presets.ts';
export { BUILT_IN_SYSTEM_PROMPT } from './system-prompt.ts';
