/** The command that tells Claude Code where the ledger is. */
export function claudeCommand(address: string, apiKey: string): string {
  return `claude mcp add --transport http homeledger ${address} --header "Authorization: Bearer ${apiKey}"`;
}
