/** A tool by what it does: `update_transactions` is "Update transactions". */
export function toolTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
