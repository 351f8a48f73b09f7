export { balancesOf } from './balances-now.ts';
