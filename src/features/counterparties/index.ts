export { counterparties, makeCounterparty, type NewCounterparty } from './counterparties.entity.ts';
