import { renderToStaticMarkup } from 'react-dom/server'
import { recoverTypedDataAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isEvmTerms, readRequired } from '../wallets/terms'
import { transferFor } from '../wallets/transfer'
import { Playground } from './playground'
import { recorded } from './recorded'

describe('where no local world has a merchant to pay', () => {
  const page = renderToStaticMarkup(<Playground shop={null} />)

  test('there is no button, but a recorded payment and the way to one of your own', () => {
    expect(page).not.toContain('<button')
    expect(page).toContain('href="#start"')
    expect(page).toContain(recorded.at(-1)?.sight?.line)
  })

  test('what was recorded is a payment that its payer signed', async () => {
    const textOf = (name: string) =>
      recorded.flatMap(({ sight }) => sight?.parts ?? []).find((part) => part.name.startsWith(name))?.text ?? ''
    const authorization = z.record(z.string(), z.string()).parse(JSON.parse(textOf('the EIP-712 message')))
    const terms = readRequired(btoa(textOf('got PAYMENT-REQUIRED'))).accepts.find(isEvmTerms)
    if (!terms) throw new Error('nothing was asked for')
    const { from, nonce, validAfter, validBefore } = z
      .object({
        from: z.templateLiteral(['0x', z.string()]),
        nonce: z.templateLiteral(['0x', z.string()]),
        validAfter: z.coerce.bigint(),
        validBefore: z.coerce.bigint(),
      })
      .parse(authorization)
    const transfer = transferFor(terms, from, { nonce })
    const message = { ...transfer.message, validAfter, validBefore }
    const signature = z.templateLiteral(['0x', z.string()]).parse(textOf('its signature'))
    expect(await recoverTypedDataAddress({ ...transfer, message, signature })).toBe(from)
  })
})

test('where one has, there is a button, and nothing is said to have happened yet', () => {
  const page = renderToStaticMarkup(<Playground shop="http://localhost:4021" />)
  expect(page).toMatch(/<button[^>]*>Try a payment</)
  expect(page.match(/data-state="waiting"/g)).toHaveLength(5)
  expect(page).not.toContain('<details')
})
