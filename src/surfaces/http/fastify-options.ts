function refuseSchemas(): () => never {
  return () => {
    throw new Error('A route carries a schema of fastify.');
  };
}

/** What is the same for every server. */
export const FASTIFY_OPTIONS = {
  requestIdHeader: false,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  // Contracts check and write everything themselves: without this, fastify loads two compilers that nobody calls.
  schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
} as const;
