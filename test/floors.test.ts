import { describe, expect, test } from 'vitest'
import { brokenFloors, brokenName } from './floors'
import { filesBelow, isTest, sourcesBelow } from './source-files'

describe('the house', () => {
  const sources = sourcesBelow('server', 'app', 'components').filter(({ file }) => !isTest(file))

  test('files import from their own folder or from floors below', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(brokenFloors)).toEqual([])
  })

  test('no folder without a noun, no barrel', () => {
    expect(
      ['server', 'app', 'components', 'devnet', 'examples', 'test', 'scripts', 'bench', 'e2e']
        .flatMap(filesBelow)
        .flatMap(brokenName),
    ).toEqual([])
  })
})

describe('the checker sees', () => {
  const BAD: [string, string, string][] = [
    ['an upward import', 'server/x402/parse.ts', "import { x } from '../services/plans'"],
    ['an upward type', 'server/store/ledger.ts', "import type { X } from '@/server/services/plans'"],
    ['an upward re-export', 'server/ledger/engine.ts', "export { x } from '../http/payments'"],
    ['an upward dynamic import', 'server/accounts/plans.ts', "const x = await import('../app')"],
    ['an upward import type', 'server/accounts/plans.ts', "let x: import('../app').App"],
    ['the ground floor looking up', 'server/errors.ts', "import './x402/parse'"],
    ['transports that know each other', 'server/payments/endpoints.ts', "import { x } from '../trpc/router'"],
    ['siblings that know each other', 'server/store/ledger.ts', "import { x } from '../chains/chain'"],
    ['siblings that know each other', 'server/identity/siwe.ts', "import { x } from '../upstream/kyt'"],
    ['chain families that know each other', 'server/chains/evm/rpc.ts', "import { x } from '../svm/rpc'"],
    ['a family in what all chains share', 'server/chains/rpc.ts', "import { x } from './evm/answers'"],
    ['screens below their floor', 'server/main.ts', "import x from '../app/page'"],
    ['Prisma outside the store', 'server/accounts/plans.ts', "import { Prisma } from '../../generated/prisma/client'"],
    ['Prisma outside the store', 'app/page.tsx', "import { Prisma } from '@prisma/client'"],
    ['viem clients elsewhere', 'server/ledger/evm/lane.ts', "import { http as transport } from 'viem'"],
    ['viem clients in a family', 'server/chains/svm/rpc.ts', "import { http } from 'viem'"],
    ['viem as a whole elsewhere', 'server/ledger/evm/lane.ts', "import * as viem from 'viem'"],
    ['Solana elsewhere', 'server/chains/chain.ts', "import { Connection } from '@solana/web3.js'"],
    ['Next below the screens', 'server/payments/endpoints.ts', "import { NextResponse } from 'next/server'"],
    ['the devnet in the product', 'server/main.ts', "import { x } from '../devnet/world'"],
    ['the tests in the product', 'app/page.tsx', "import { x } from '@/test/database'"],
    ['the environment', 'server/log.ts', 'const level = process.env.LOG_LEVEL'],
    ['the environment in brackets', 'server/log.ts', "const level = process['env'].LOG_LEVEL"],
    ['the environment imported', 'server/log.ts', "import { env } from 'node:process'"],
    ['a folder on no floor', 'server/misc/x.ts', ''],
  ]
  test.each(BAD)('%s: %s', (_what, file, text) => expect(brokenFloors({ file, text })).toHaveLength(1))

  const GOOD: [string, string][] = [
    [
      'server/payments/endpoints.ts',
      "import { x } from '../services/plans'; import { y } from './answer'; import { z } from '../errors'",
    ],
    ['server/http/routes.ts', "import * as settle from '../app/v1/[key]/settle/route'"],
    ['server/chains/endpoint.ts', "import { http } from 'viem'"],
    ['server/chains/evm/rpc.ts', "import { type Hex } from 'viem'; import { x } from '../rpc'"],
    ['server/x402/parse.ts', "import { getAddress, type Hex } from 'viem' // process.env"],
    ['server/http/bind.ts', "import next from 'next'; import { x } from './door/door'"],
    ['server/env.ts', 'export const port = process.env.PORT'],
    ['app/page.tsx', "import { x } from '@/components/table'; import { y } from '@/server/x402/networks'; import 'next/link'"],
  ]
  test.each(GOOD)('nothing wrong in %s', (file, text) => expect(brokenFloors({ file, text })).toEqual([]))

  test('folders without a noun and barrels', () => {
    expect(['server/utils/x.ts', 'app/lib/x.ts', 'server/store/index.ts'].flatMap(brokenName)).toHaveLength(3)
    expect(['server/store/ledger.ts', 'app/page.tsx'].flatMap(brokenName)).toEqual([])
  })
})
