export { isHeldOrRefused } from './already-proposed.queries.ts';
export { closePlan } from './close-plans.queries.ts';
export { eraseFromProposals, expireProposals } from './end-proposals.queries.ts';
export { planWrite } from './plan-write.ts';
