export { counterparties, makeCounterparty } from './counterparties.entity.ts';
export { findByFoldedName as findCounterpartyByFoldedName } from './counterparties.queries.ts';
