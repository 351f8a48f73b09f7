export { accessOf, openProvider, sealAccess, traitsOf } from './open-provider.ts';
