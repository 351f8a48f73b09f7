export { asking, openLinkSession, requireProvider } from './ask-provider.ts';
export { configuredProviders, notConfigured, traitsOf } from './configured.ts';
export { accessOf, openProvider, sealAccess } from './open-provider.ts';
