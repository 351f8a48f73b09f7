/** Limits of one rule (contract 40.1 to 40.3 and 10.6.1), and of what the engine keeps in memory. */
export const RULE_LIMITS = {
  depth: 10,
  nodes: 200,
  listValues: 500,
  textChars: 512,
  patternInstructions: 10_000,
  cyclicTolerance: 183,
  actions: 20,
  metadataKeyChars: 128,
  metadataValueBytes: 4_096,
  metadataBytes: 8_192,
  problems: 20,
  /** Texts of rows whose fold and pre-selection are remembered, in each of two generations. */
  rememberedTexts: 20_000,
  /** Longer texts are rare and not remembered. */
  rememberedChars: 256,
  /** Only the beginning of a literal is searched for. */
  literalChars: 24,
  /** Cells of one literal automaton. If the literals do not fit, every rule is evaluated on every row. */
  automatonCells: 8_000_000,
} as const;
