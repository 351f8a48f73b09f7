export { makeSeries, series } from './series.entity.ts';
