export { seriesOutlooks, type Outlook } from './series-outlooks.ts';
export { makeSeries, series } from './series.entity.ts';
export { findSeriesByFoldedName } from './series.queries.ts';
