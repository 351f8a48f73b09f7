export { asking, openLinkSession, requireProvider, tellingAdmin } from './ask-provider.ts';
export { configuredProviders, notConfigured, traitsOf } from './configured.ts';
export { accessOf, openProvider, sealAccess } from './open-provider.ts';
