export { forgetProviderSecrets } from './forget-secrets.ts';
export { providersInForce, type ProvidersInForce } from './providers-in-force.ts';
