import { signatureIn } from '../../../server/chains/svm/signer'
import type { Call } from '../../support/nodes/faulty-node'
import { type Answer, freshIp, post } from '../../support/service/client'
import type { SvmHarness, SvmPurchase } from '../../support/svm/harness'
import { isSvmSuccess } from '../../support/svm/settled-once'
import { until } from '../../support/until'

export const isSend = ({ method }: Call) => method === 'sendTransaction'
export const isStatus = ({ method }: Call) => method === 'getSignatureStatuses'
export const isHeight = ({ method }: Call) => method === 'getBlockHeight'

/** What a node calls the transaction that it is sent. */
export const nameOf = ({ params }: Call) => signatureIn(String(params[0]))

/** The answer to a payment without an outcome at the deadline. */
export const pending = { status: 200, body: { success: false, errorReason: 'settlement_pending' } }

export const svmSettle = ({ app }: SvmHarness, { body }: SvmPurchase, ip = freshIp()): Promise<Answer> =>
  post(app, 'settle', body, { ip })

/** Repeats a request as its sender should, until its outcome is known. */
export async function svmSettleUntilAnswered(harness: SvmHarness, purchase: SvmPurchase, ip = freshIp()): Promise<Answer[]> {
  const answers: Answer[] = []
  await until(
    async () => {
      const answer = await svmSettle(harness, purchase, ip)
      answers.push(answer)
      return isSvmSuccess(answer) || answer.status === 409 || answer.body.errorReason !== 'settlement_pending'
    },
    'an outcome',
    undefined,
    300,
  )
  return answers
}
