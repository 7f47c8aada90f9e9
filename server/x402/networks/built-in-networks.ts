import { type EvmAsset, type EvmRow, USUAL } from './rows'

/**
 * The EVM networks that a process serves once it has an RPC URL for them: those that the official package has a default asset for, and
 * the testnets where Circle issues USDC. Data only; `built-in-networks.test.ts` compares it with the packages.
 */
type Built<Name extends string> = EvmRow & { name: Name }

/** What a row must say: the rest is usual. */
type Said = Pick<EvmRow, 'chainId' | 'title' | 'assets' | 'blockSeconds' | 'finalizedSeconds' | 'depth'> & Partial<EvmRow>

const row = <const Name extends string>(name: Name, explorer: [name: string, url: string], said: Said): Built<Name> => ({
  ...USUAL,
  ...said,
  explorer: { name: explorer[0], url: explorer[1] },
  name,
})

type Address = EvmAsset['address']

const usdc = (address: Address, name = 'USDC'): EvmAsset => ({
  address,
  symbol: 'USDC',
  decimals: 6,
  method: 'eip3009',
  permits: true,
  domain: { name, version: '2' },
})

const eurc = (address: Address, name = 'EURC'): EvmAsset => ({
  address,
  symbol: 'EURC',
  decimals: 6,
  method: 'eip3009',
  permits: true,
  domain: { name, version: '2' },
})

/** A token with EIP-3009 by another issuer. */
const other = (symbol: string, address: Address, name: string, version = '1'): EvmAsset => ({
  address,
  symbol,
  decimals: 6,
  method: 'eip3009',
  domain: { name, version },
})

/** A token without EIP-3009. */
const byPermit2 = (symbol: string, address: Address, name: string, decimals = 18, permits = true): EvmAsset => ({
  address,
  symbol,
  decimals,
  method: 'permit2',
  permits,
  domain: { name, version: '1' },
})

const gwei = (amount: number) => BigInt(amount) * 1_000_000_000n
const coin = (symbol: string): Pick<EvmRow, 'coin'> => ({ coin: { symbol, decimals: 18 } })
const test = { testnet: true } as const
/** A block is final once its validators made it, or soon after. */
const instant = { finalizedSeconds: 2, depth: 2 } as const
const ethereum = { blockSeconds: 12, finalizedSeconds: 900, depth: 12, tip: 50_000_000n, feeMax: gwei(200) } as const
/** The minimum payment where gas costs more than the usual one, about what a settlement's gas costs at usual prices. */
const least = (dollars: number): Pick<EvmRow, 'minPayment'> => ({ minPayment: Math.round(dollars * 1_000_000) })
const avalanche = { ...coin('AVAX'), blockSeconds: 1.5, ...instant, feeMax: gwei(500) } as const
// Its validators take no transaction below 25 gwei.
const polygon = { ...coin('POL'), blockSeconds: 2, finalizedSeconds: 6, depth: 16, tip: gwei(30), feeMax: gwei(5_000) } as const
// The price of L1 data is charged as gas, and unused gas costs nothing.
const arbitrum = { blockSeconds: 0.25, finalizedSeconds: 1_200, depth: 40, gasPerByte: 1_000 } as const
// Cold storage costs four times as much, and a transaction pays its gas limit.
const monad = {
  ...coin('MON'),
  blockSeconds: 0.4,
  ...instant,
  depth: 4,
  tip: gwei(2),
  feeMax: gwei(2_000),
  gasPercent: 150,
} as const
const stable = { ...coin('USDT0'), blockSeconds: 0.7, ...instant } as const
const mezo = { ...coin('BTC'), blockSeconds: 5, ...instant, finalizedSeconds: 6 } as const
const radius = { ...coin('RUSD'), blockSeconds: 1, ...instant, fees: 'legacy' } as const
const xdc = { blockSeconds: 2, finalizedSeconds: 6, depth: 5, fees: 'legacy', feeMax: gwei(500) } as const
const celo = { blockSeconds: 1, finalizedSeconds: 1_200, depth: 10, feeMax: gwei(500) } as const
// Writing storage costs more than three times as much.
const sei = { ...coin('SEI'), blockSeconds: 0.4, ...instant, tip: gwei(1), feeMax: gwei(500), gasPercent: 250 } as const

export const builtInNetworks = [
  row('ethereum', ['Etherscan', 'https://etherscan.io'], {
    chainId: 1,
    title: 'Ethereum',
    ...ethereum,
    ...least(1),
    gasMaxUsd: 25,
    assets: [usdc('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USD Coin')],
  }),
  row('sepolia', ['Etherscan', 'https://sepolia.etherscan.io'], {
    chainId: 11_155_111,
    title: 'Ethereum Sepolia',
    ...test,
    ...ethereum,
    assets: [usdc('0x1c7d4b196cb0c7b01d743fbc6116a902379c7238')],
  }),
  row('avalanche', ['SnowTrace', 'https://snowtrace.io'], {
    chainId: 43_114,
    title: 'Avalanche',
    ...avalanche,
    ...least(0.005),
    assets: [usdc('0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', 'USD Coin')],
  }),
  row('avalanche-fuji', ['SnowTrace', 'https://testnet.snowtrace.io'], {
    chainId: 43_113,
    title: 'Avalanche Fuji',
    ...test,
    ...avalanche,
    assets: [usdc('0x5425890298aed601595a70ab815c96711a31bc65', 'USD Coin')],
  }),
  row('polygon', ['PolygonScan', 'https://polygonscan.com'], {
    chainId: 137,
    title: 'Polygon',
    ...polygon,
    ...least(0.005),
    assets: [usdc('0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', 'USD Coin')],
  }),
  row('polygon-amoy', ['PolygonScan', 'https://amoy.polygonscan.com'], {
    chainId: 80_002,
    title: 'Polygon Amoy',
    ...test,
    ...polygon,
    assets: [usdc('0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582')],
  }),
  row('arbitrum', ['Arbiscan', 'https://arbiscan.io'], {
    chainId: 42_161,
    title: 'Arbitrum One',
    ...arbitrum,
    ...least(0.005),
    assets: [usdc('0xaf88d065e77c8cc2239327c5edb3a432268e5831', 'USD Coin')],
  }),
  row('arbitrum-sepolia', ['Arbiscan', 'https://sepolia.arbiscan.io'], {
    chainId: 421_614,
    title: 'Arbitrum Sepolia',
    ...test,
    ...arbitrum,
    assets: [usdc('0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d', 'USD Coin')],
  }),
  row('celo', ['Celo Explorer', 'https://celoscan.io'], {
    chainId: 42_220,
    title: 'Celo',
    ...coin('CELO'),
    ...celo,
    ...least(0.001),
    assets: [
      usdc('0xceba9300f2b948710d2653dd7b07f33a8b32118c'),
      other('USDT', '0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e', 'Tether USD'),
      other('USAT', '0xd2ab3c9a02dbbab236bfec45d1d755df4267f771', 'Tether America USD'),
    ],
  }),
  row('celo-sepolia', ['Celo Explorer', 'https://celo-sepolia.blockscout.com'], {
    chainId: 11_142_220,
    title: 'Celo Sepolia',
    ...test,
    ...coin('S-CELO'),
    ...celo,
    assets: [usdc('0x01c5c0122039549ad1493b8220cabedd739bc44e')],
  }),
  row('sei', ['Seiscan', 'https://seiscan.io'], {
    chainId: 1_329,
    title: 'Sei',
    ...sei,
    assets: [usdc('0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392')],
  }),
  row('sei-testnet', ['Seiscan', 'https://testnet.seiscan.io'], {
    chainId: 1_328,
    title: 'Sei testnet',
    ...test,
    ...sei,
    assets: [usdc('0x4fcf1784b31630811181f670aea7a7bef803eaed')],
  }),
  row('monad', ['Monadscan', 'https://monadscan.com'], {
    chainId: 143,
    title: 'Monad',
    ...monad,
    ...least(0.005),
    assets: [usdc('0x754704bc059f8c67012fed69bc8a327a5aafb603')],
  }),
  row('monad-testnet', ['Monad Explorer', 'https://testnet.monadexplorer.com'], {
    chainId: 10_143,
    title: 'Monad testnet',
    ...test,
    ...monad,
    assets: [usdc('0x534b2f3a21130d7a60830c2df862319e593943a3')],
  }),
  row('xdc', ['XDCScan', 'https://xdcscan.com'], {
    chainId: 50,
    title: 'XDC',
    ...coin('XDC'),
    ...xdc,
    multicall: '0x0b1795cca8e4ec4df02346a082df54d437f8d9af',
    assets: [usdc('0xfa2958cb79b0491cc627c1557f441ef849ca8eb1')],
  }),
  row('xdc-apothem', ['XDCScan', 'https://testnet.xdcscan.com'], {
    chainId: 51,
    title: 'XDC Apothem',
    ...test,
    ...coin('TXDC'),
    ...xdc,
    assets: [usdc('0xb5ab69f7bbada22b28e79c8ffaece55ef1c771d4')],
  }),
  row('flare', ['Flare Explorer', 'https://flare-explorer.flare.network'], {
    chainId: 14,
    title: 'Flare',
    ...coin('FLR'),
    blockSeconds: 1.5,
    ...instant,
    feeMax: gwei(2_500),
    assets: [other('USDT0', '0xe7cd86e13ac4309349f30b3435a9d337750fc82d', 'USD₮0')],
  }),
  row('stable', ['Stablescan', 'https://stablescan.xyz'], {
    chainId: 988,
    title: 'Stable',
    ...stable,
    assets: [other('USDT0', '0x779ded0c9e1022225f8e0630b35a9b54be713736', 'USDT0')],
  }),
  row('stable-testnet', ['Stablescan', 'https://testnet.stablescan.xyz'], {
    chainId: 2_201,
    title: 'Stable testnet',
    ...test,
    ...stable,
    assets: [other('USDT0', '0x78cf24370174180738c5b8e352b6d14c83a6c9a9', 'USDT0')],
  }),
  row('megaeth', ['Etherscan', 'https://mega.etherscan.io'], {
    chainId: 4_326,
    title: 'MegaETH',
    ...least(0.001),
    blockSeconds: 1,
    finalizedSeconds: 1_200,
    depth: 10,
    // A transaction that does nothing costs 60,000 gas.
    gasPercent: 300,
    l1FeeOracle: '0x420000000000000000000000000000000000000f',
    assets: [byPermit2('MegaUSD', '0xfafddbb3fc7688494971a79cc65dca3ef82079e7', 'MegaUSD')],
  }),
  row('mezo', ['Mezo Explorer', 'https://explorer.mezo.org'], {
    chainId: 31_612,
    title: 'Mezo',
    ...mezo,
    ...least(0.01),
    assets: [byPermit2('mUSD', '0xdd468a1ddc392dcdbef6db6e34e89aa338f9f186', 'Mezo USD')],
  }),
  row('mezo-testnet', ['Mezo Explorer', 'https://explorer.test.mezo.org'], {
    chainId: 31_611,
    title: 'Mezo testnet',
    ...test,
    ...mezo,
    assets: [byPermit2('mUSD', '0x118917a40faf1cd7a13db0ef56c86de7973ac503', 'Mezo USD')],
  }),
  row('radius', ['Radius Explorer', 'https://network.radiustech.xyz'], {
    chainId: 723_487,
    title: 'Radius',
    ...radius,
    assets: [byPermit2('SBC', '0x33ad9e4bd16b69b5bfded37d8b5d9ff9aba014fb', 'Stable Coin', 6)],
  }),
  row('radius-testnet', ['Radius Explorer', 'https://testnet.radiustech.xyz'], {
    chainId: 72_344,
    title: 'Radius testnet',
    ...test,
    ...radius,
    assets: [byPermit2('SBC', '0x33ad9e4bd16b69b5bfded37d8b5d9ff9aba014fb', 'Stable Coin', 6)],
  }),
  row('adi', ['ADI Explorer', 'https://explorer.adifoundation.ai'], {
    chainId: 36_900,
    title: 'ADI Chain',
    ...coin('ADI'),
    blockSeconds: 1,
    finalizedSeconds: 3_600,
    depth: 10,
    assets: [other('USDC.e', '0x9cb8142aebbcdc60af7c97af897a67a8f3ca71c2', 'USDC.e', '2')],
  }),
  row('hpp', ['HPP Explorer', 'https://explorer.hpp.io'], {
    chainId: 190_415,
    title: 'HPP',
    ...arbitrum,
    ...least(0.005),
    assets: [other('USDC.e', '0x401ecb1d350407f13ba348573e5630b83638e30d', 'Bridged USDC', '2')],
  }),
  row('hpp-sepolia', ['HPP Explorer', 'https://sepolia-explorer.hpp.io'], {
    chainId: 181_228,
    title: 'HPP Sepolia',
    ...test,
    ...arbitrum,
    assets: [other('USDC.e', '0x401ecb1d350407f13ba348573e5630b83638e30d', 'Bridged USDC', '2')],
  }),
  row('igra', ['Igra Explorer', 'https://explorer.igralabs.com'], {
    chainId: 38_833,
    title: 'Igra',
    ...least(0.01),
    ...coin('iKAS'),
    blockSeconds: 1,
    finalizedSeconds: 60,
    depth: 60,
    fees: 'legacy',
    feeMax: gwei(50_000),
    assets: [byPermit2('USDC', '0xa5b8bf902b2844da17d4506cc827f7f1681735e7', 'USDC', 6, false)],
  }),
] as const

/** Further tokens that a row of EVM_NETWORKS switches on by their symbol: Circle's EURC, as it documents it. */
export const furtherAssets: Readonly<Record<number, readonly EvmAsset[]>> = {
  1: [eurc('0x1abaea1f7c830bd89acc67ec4af516284b1bc33c', 'Euro Coin')],
  8453: [eurc('0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42')],
  84532: [eurc('0x808456652fdb597867f38412077a9182bf77359f')],
  43113: [eurc('0x5e44db7996c682e92a960b65ac713a54ad815c6b')],
  43114: [eurc('0xc891eb4cbdeff6e073e859e987815ed1505c2acd', 'Euro Coin')],
  11155111: [eurc('0x08210f9170f89ab7658f0b5e3ff39b0e03c594d4')],
}
