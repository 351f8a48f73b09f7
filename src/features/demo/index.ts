export { addDemoLogins, openDemoConnections, signInVisitor, type DemoAccess } from './demo-household.ts';
export { createDemoLink, type DemoLink } from './demo-link.ts';
