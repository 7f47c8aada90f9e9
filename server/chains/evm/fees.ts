/** What a transaction offers, wei per gas. */
export type Fees = { maxFeePerGas: bigint; tipPerGas: bigint }

/** Base orders by tip but is rarely full: a token tip of 0.001 gwei is what its wallets offer. */
const TIP_PER_GAS = 1_000_000n

/** Fees that outlive six full blocks in a row: twice the base fee, and the tip. */
export function feesAt(baseFee: bigint): Fees {
  return { maxFeePerGas: baseFee * 2n + TIP_PER_GAS, tipPerGas: TIP_PER_GAS }
}

/** Fees of a replacement: nodes want both an eighth higher, and the base fee may have run away meanwhile. */
export function raised(earlier: Fees, baseFee: bigint): Fees {
  const tipPerGas = anEighthMore(earlier.tipPerGas)
  const enough = baseFee * 2n + tipPerGas
  const more = anEighthMore(earlier.maxFeePerGas)
  return { maxFeePerGas: enough > more ? enough : more, tipPerGas }
}

function anEighthMore(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n
}
