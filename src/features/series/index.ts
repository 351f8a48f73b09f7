export { seriesOutlooks, type Outlook } from './series-outlooks.ts';
export { findSeriesByFoldedName, makeSeries, series } from './series.entity.ts';
