export { BLOCKS, findBlock, type Block } from './blocks.ts';
export { BUILT_IN_SYSTEM_PROMPT, composePrompt, readOptions, type PromptParts } from './compose-prompt.ts';
export { PRESETS, findPreset, toolsOfPreset, type Preset, type PresetOption } from './presets.ts';
