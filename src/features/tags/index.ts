export { seedTags } from './seed-tags.ts';
