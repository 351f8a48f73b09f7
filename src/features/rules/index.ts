export { countRulesNaming, retargetRules } from './rule-references.ts';
