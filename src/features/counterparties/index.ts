export { findCounterparty } from './counterparties.queries.ts';
export { findCounterpartyByName } from './counterparty-names.ts';
export { makeCounterparty, type NewCounterparty } from './make-counterparty.ts';
export { undo } from './undo-counterparties.ts';
