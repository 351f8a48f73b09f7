export { readingFields, readSeries, toPrice, type SeriesReading } from './read-series.ts';
export type { SeriesMember } from './series-members.queries.ts';
export { findSeriesByFoldedName, makeSeries, series } from './series.entity.ts';
