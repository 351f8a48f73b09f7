export { findOrigin } from './annotations.queries.ts';
export { timelineOf, type AnnotationRecord } from './timeline.ts';
