export { findSeriesByName, makeSeries } from './make-series.ts';
export { findSeries } from './series.queries.ts';
export { undo } from './undo-series.ts';
