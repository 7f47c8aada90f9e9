import { renderToStaticMarkup } from 'react-dom/server'
import { recoverTypedDataAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { initialSteps, type Step, type StepName } from '../../client/paid-request/steps'
import { TestPayment } from '../../client/paid-request/use-payment'
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
  const merchantUrl = 'http://localhost:4021'
  const page = renderToStaticMarkup(
    <TestPayment merchantUrl={merchantUrl}>
      <Playground merchantUrl={merchantUrl} />
    </TestPayment>,
  )
  expect(page).toMatch(/<button[^>]*>Pay 0.001 test USDC</)
  expect(page.match(/data-state="waiting"/g)).toHaveLength(5)
  expect(page).not.toContain('<details')
})

const drawn = (steps: Step[]) => renderToStaticMarkup(<FlowPicture steps={steps} />)

/** The first steps as they end: all before the running one are done. */
const during = (running: StepName) => {
  const at = initialSteps.findIndex(({ name }) => name === running)
  return initialSteps.map((step, place): Step => ({ ...step, state: place < at ? 'done' : place === at ? 'running' : 'waiting' }))
}

test('the picture has the number of each step, a tick when it is done, and what no step shows is left out', () => {
  const numbers = (steps: Step[]) => [...drawn(steps).matchAll(/>(\d)</g)].map(([, number]) => number)
  expect([numbers([]), numbers(initialSteps), numbers(during('sign'))]).toEqual([[], ['1', '2', '3', '4', '5'], ['3', '4', '5']])
  const ticks = (steps: Step[]) => drawn(steps).match(/stroke-width="1.8"/g)?.length ?? 0
  expect([ticks([]), ticks(initialSteps), ticks(during('sign')), ticks(recorded)]).toEqual([0, 0, 2, 4])
  expect([drawn([]), drawn(recorded)].map((picture) => picture.includes('new wallet'))).toEqual([false, false])
})

test('the picture moves with a payment: what was not sent yet is pale, and the running step lights up', () => {
  const counted = (steps: Step[]) => [/<g opacity=/g, /class="lights-up"/g].map((look) => drawn(steps).match(look)?.length ?? 0)
  expect([counted([]), counted(initialSteps), counted(recorded)]).toEqual(Array(3).fill([0, 0]))
  expect([counted(during('fund')), counted(during('sign')), counted(during('pay'))]).toEqual([
    [9, 1],
    [6, 1],
    [1, 5],
  ])
})
