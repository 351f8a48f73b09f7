export { takeBack } from './take-back.ts';
