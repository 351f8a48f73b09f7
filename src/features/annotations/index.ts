import { listAnnotations } from './list-annotations.ts';

export const handlers = [listAnnotations];
