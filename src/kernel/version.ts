import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../../package.json') as { version: string };

/** The program's semantic version. */
export const VERSION = manifest.version;

/** The contract's version, which `info.version` of the OpenAPI document carries. */
export const CONTRACT_VERSION = '1.0.0';
