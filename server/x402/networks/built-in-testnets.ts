/** The chain ids of the built-in testnets, for pages too: they know a testnet by its id while its network is off. */
export const builtInTestnets: readonly number[] = [
  11_155_111, 43_113, 80_002, 421_614, 11_142_220, 1_328, 10_143, 51, 2_201, 31_611, 72_344, 181_228,
]
