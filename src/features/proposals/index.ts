export { isHeldOrRefused, type Proposer } from './already-proposed.queries.ts';
export { planWrite, type PlanCaller, type Planned } from './plan-write.ts';
export { countOpenProposals } from './proposals.queries.ts';
