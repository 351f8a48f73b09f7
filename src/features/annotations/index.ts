import { listAnnotations } from './list-annotations.ts';

export const handlers = [listAnnotations];

export { findOrigin } from './annotations.queries.ts';
export { timelineOf, type AnnotationRecord } from './timeline.ts';
