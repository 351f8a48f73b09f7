export { counterparties, makeCounterparty } from './counterparties.entity.ts';
