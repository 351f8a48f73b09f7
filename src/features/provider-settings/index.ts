export { removeCredentials } from './change-provider.ts';
export { forgetProviderSecrets } from './forget-secrets.ts';
export { providersInForce, type ProvidersInForce } from './providers-in-force.ts';
