/** The ports of the local world, each by its variable. Ends the process when one is no port number. */
export function demoPorts() {
  const chain = port('DEMO_CHAIN_PORT', 8545)
  const solana = port('DEMO_SOLANA_PORT', 8899)
  return {
    service: port('DEMO_PORT', 3000),
    merchant: port('DEMO_MERCHANT_PORT', 4021),
    identity: port('DEMO_IDENTITY_PORT', 4022),
    chain,
    // The next port, so that one variable moves both.
    baseChain: port('DEMO_BASE_CHAIN_PORT', chain === 0 ? 0 : chain + 1),
    solana,
    // Two above: Solana clients expect notifications on the port above a node's.
    solanaDevnet: port('DEMO_SOLANA_DEVNET_PORT', solana === 0 ? 0 : solana + 2),
  }
}

function port(variable: string, fallback: number): number {
  const value = process.env[variable] || String(fallback)
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  console.error(`${variable} must be a port number, not "${value}".`)
  process.exit(1)
}
