export { seriesOutlook } from './series-detail.ts';
export { makeSeries, series } from './series.entity.ts';
export { findSeriesByFoldedName } from './series.queries.ts';
