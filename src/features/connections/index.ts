import { createConnection } from './create-connection.ts';

export const handlers = [createConnection];
