export { asking, openLinkSession, providerError, requireProvider } from './ask-provider.ts';
export { configuredProviders, notConfigured } from './configured.ts';
export { accessOf, openProvider, sealAccess, traitsOf } from './open-provider.ts';
