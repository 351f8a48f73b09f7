import { config } from 'zod';

// The policy of the pages forbids eval, which zod would otherwise try for faster parsers.
config({ jitless: true });
