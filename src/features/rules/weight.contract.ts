/** Compiling a few patterns takes a millisecond; a rule may hold two hundred, each as large as its limit. */
const FEW_PATTERNS = 5;

/** Rules with many patterns are read in a thread, which compiles them. */
export function weightOfRules({ body }: { body: unknown }): 'light' | 'heavy' {
  return JSON.stringify(body).split('"matches"').length - 1 > FEW_PATTERNS ? 'heavy' : 'light';
}
