export { configuredProviders, notConfigured } from './configured.ts';
export { accessOf, openProvider, sealAccess, traitsOf } from './open-provider.ts';
