export { addDemoLogins, openDemoConnections, signInMember, signInVisitor } from './demo-household.ts';
export { createDemoLink, type DemoLink } from './demo-link.ts';
