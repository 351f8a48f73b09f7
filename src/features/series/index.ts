export { seriesOutlook } from './series-detail.ts';
export { makeSeries, series } from './series.entity.ts';
