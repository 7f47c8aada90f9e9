import { renderToStaticMarkup } from 'react-dom/server'
import { recoverTypedDataAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { initialSteps, type Step, type StepName } from '../../client/paid-request/steps'
import { isEvmTerms, readRequired } from '../../client/wallets/terms'
import { transferFor } from '../../client/wallets/transfer'
import { FlowPicture } from '../frame/flow-picture'
import { Playground } from './playground'
import { recorded } from './recorded'

describe('without a sample merchant', () => {
  const page = renderToStaticMarkup(<Playground merchantUrl={null} />)

  test('the page shows a recorded payment and a link to make your own', () => {
    expect(page).not.toContain('<button')
    expect(page).toContain('href="#start"')
    expect(page).toContain(recorded.at(-1)?.messages?.line)
  })

  test('the recorded payment has a valid signature of its payer', async () => {
    const textOf = (name: string) =>
      recorded.flatMap(({ messages }) => messages?.parts ?? []).find((part) => part.name.startsWith(name))?.text ?? ''
    const authorization = z.record(z.string(), z.string()).parse(JSON.parse(textOf('EIP-712 message')))
    const terms = readRequired(btoa(textOf('Received PAYMENT-REQUIRED'))).accepts.find(isEvmTerms)
    if (!terms) throw new Error('no terms recorded')
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
    const signature = z.templateLiteral(['0x', z.string()]).parse(textOf('Signature'))
    expect(await recoverTypedDataAddress({ ...transfer, message, signature })).toBe(from)
  })
})

test('with a sample merchant, the page shows a button and no progress yet', () => {
  const page = renderToStaticMarkup(<Playground merchantUrl="http://localhost:4021" />)
  expect(page).toMatch(/<button[^>]*>Try a payment</)
  expect(page.match(/data-state="waiting"/g)).toHaveLength(5)
  expect(page).not.toContain('<details')
})

test('the picture has the numbers of the steps, and during a payment its unsent messages are pale', () => {
  const drawn = (steps: Step[]) => renderToStaticMarkup(<FlowPicture steps={steps} />)
  const pale = (steps: Step[]) => drawn(steps).match(/<g opacity=/g)?.length ?? 0
  const numbers = (steps: Step[]) => [...drawn(steps).matchAll(/>(\d)</g)].map(([, number]) => number)
  expect([pale([]), pale(initialSteps), pale(recorded)]).toEqual([0, 0, 0])
  expect([numbers([]), numbers(initialSteps), numbers(recorded)]).toEqual([[], ['2', '4', '5'], ['1', '3', '4']])
  const after = (done: StepName) => initialSteps.map((step): Step => (step.name === done ? { ...step, state: 'done' } : step))
  expect([pale(after('fund')), pale(after('ask'))]).toEqual([8, 6])
})
