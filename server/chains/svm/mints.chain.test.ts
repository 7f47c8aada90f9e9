import type { ExtensionArgs } from '@solana-program/token-2022'
import { describe, expect, test } from 'vitest'
import { type Solana, startSolana } from '../../../devnet/solana/solana'
import { fixture } from '../../../test/support/fixture'
import { PROGRAMS, someAddress } from '../../../test/support/svm/forge'
import { createMint } from '../../../test/support/svm/mints'
import { silentLog } from '../../base/log'
import { createSvmChain } from './chain'
import { judgeMint } from './mints'
import { createSvmRpc } from './rpc'

const local = fixture(async () => {
  const solana: Solana = await startSolana({ cluster: 'devnet', finalizedSlots: 1 })
  return { solana, close: () => solana.stop() }
})

const judged = async (address: string) => {
  const { url, network } = local.solana
  const [account] = await createSvmChain(network, createSvmRpc([url], network, silentLog())).mints([address])
  return judgeMint(account ?? null)
}

type Extension = (authority: string) => unknown
const none = { __option: 'None' } as const

const NO_FEE = { epoch: 0n, maximumFee: 0n, transferFeeBasisPoints: 0 }
const HARMFUL: [string, RegExp, ...Extension[]][] = [
  [
    'a transfer fee, even of zero',
    /take a fee/,
    (authority) => ({
      __kind: 'TransferFeeConfig',
      transferFeeConfigAuthority: authority,
      withdrawWithheldAuthority: authority,
      withheldAmount: 0n,
      newerTransferFee: NO_FEE,
      olderTransferFee: NO_FEE,
    }),
  ],
  ['a close authority', /closed/, (closeAuthority) => ({ __kind: 'MintCloseAuthority', closeAuthority })],
  [
    'confidential transfers',
    /confidential transfers/,
    () => ({ __kind: 'ConfidentialTransferMint', authority: none, autoApproveNewAccounts: true, auditorElgamalPubkey: none }),
  ],
  ['frozen new accounts', /freezes new accounts/, () => ({ __kind: 'DefaultAccountState', state: 2 })],
  ['no transfers', /cannot be transferred/, () => ({ __kind: 'NonTransferable' })],
  [
    'interest',
    /earns interest/,
    (rateAuthority) => ({
      __kind: 'InterestBearingConfig',
      rateAuthority,
      initializationTimestamp: 0n,
      preUpdateAverageRate: 0,
      lastUpdateTimestamp: 0n,
      currentRate: 5,
    }),
  ],
  ['a permanent delegate', /permanent delegate/, (delegate) => ({ __kind: 'PermanentDelegate', delegate })],
  [
    'a transfer hook, even of no program yet',
    /transfer hook/,
    (authority) => ({ __kind: 'TransferHook', authority, programId: PROGRAMS.system }),
  ],
  [
    'a multiplier',
    /multiplier/,
    (authority) => ({
      __kind: 'ScaledUiAmountConfig',
      authority,
      multiplier: 2,
      newMultiplierEffectiveTimestamp: 0n,
      newMultiplier: 2,
    }),
  ],
  [
    'a pause',
    /paused/,
    (authority) => ({ __kind: 'PausableConfig', authority: { __option: 'Some', value: authority }, paused: false }),
  ],
  [
    'a harmless extension before a harmful one',
    /permanent delegate/,
    (authority) => ({ __kind: 'MetadataPointer', authority, metadataAddress: authority }),
    (delegate) => ({ __kind: 'PermanentDelegate', delegate }),
  ],
]

// The types of the official package know no addresses in plain text.
const extensionsOf = (makers: Extension[]) => (authority: string) => makers.map((make) => make(authority)) as ExtensionArgs[]

describe('a mint', () => {
  test.each([
    ['of SPL Token', PROGRAMS.token, 6],
    ['of SPL Token with other decimals', PROGRAMS.token, 9],
    ['of Token-2022', PROGRAMS.token2022, 2],
  ])('%s is accepted, with its program and decimals', async (_, program, decimals) => {
    const { mint } = await createMint(local.solana, { program, decimals })
    expect(await judged(mint)).toEqual({ program, decimals })
  })

  test('of Token-2022 with a name, a group pointer and accounts that start open is accepted', async () => {
    const { mint } = await createMint(local.solana, {
      extensions: extensionsOf([
        (authority) => ({ __kind: 'MetadataPointer', authority, metadataAddress: authority }),
        (authority) => ({ __kind: 'GroupPointer', authority, groupAddress: authority }),
        () => ({ __kind: 'DefaultAccountState', state: 1 }),
      ]),
    })
    expect(await judged(mint)).toEqual({ program: PROGRAMS.token2022, decimals: 6 })
  })

  test.each(HARMFUL)('with %s is refused', async (_, fault, ...makers) => {
    const { mint } = await createMint(local.solana, { extensions: extensionsOf(makers) })
    expect(await judged(mint)).toEqual({ fault: expect.stringMatching(fault) })
  })

  test('that does not exist, or is a wallet or a token account, is refused', async () => {
    const token2022 = await createMint(local.solana)
    const owner = someAddress()
    const [spl, extended] = [await local.solana.openAccount(owner), await token2022.mintTo(owner, 1n)]
    expect(await judged(someAddress())).toEqual({ fault: 'does not exist' })
    expect(await judged(token2022.authority.address)).toEqual({ fault: 'is no account of a token program' })
    for (const account of [spl, extended])
      expect(await judged(account)).toEqual({ fault: 'is an account of a token program, and no mint' })
  })
})

describe('the bytes of a mint', () => {
  const bytes = (change: (data: Buffer) => unknown, extensions: Buffer = Buffer.alloc(0)) => {
    const data = Buffer.concat([Buffer.alloc(165).fill(6, 44, 45).fill(1, 45, 46), Buffer.of(1), extensions])
    change(data)
    return { owner: PROGRAMS.token2022, data: new Uint8Array(data) }
  }
  const extension = (type: number, length: number, room = length) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(length, 2)
    return Buffer.concat([head, Buffer.alloc(room)])
  }

  test.each([
    ['an extension that is not known yet', bytes(() => {}, extension(99, 8)), 'has an unknown extension (99)'],
    ['an extension of accounts', bytes(() => {}, extension(8, 1)), 'has an unknown extension (8)'],
    ['an extension cut short', bytes(() => {}, extension(18, 64, 10)), 'has extensions that cannot be read'],
    ['no initialization', bytes((data) => data.writeUInt8(0, 45), extension(18, 64)), 'is not initialized'],
    ['too many decimals', bytes((data) => data.writeUInt8(19, 44), extension(18, 64)), 'has 19 decimals; 18 is the maximum'],
  ])('with %s are refused', (_, account, fault) => {
    expect(judgeMint(account)).toEqual({ fault })
  })

  test('may end with unused space', () => {
    const account = bytes(() => {}, Buffer.concat([extension(18, 64), Buffer.alloc(30)]))
    expect(judgeMint(account)).toEqual({ program: PROGRAMS.token2022, decimals: 6 })
  })
})
