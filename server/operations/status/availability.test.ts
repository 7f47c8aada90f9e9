import { expect, test } from 'vitest'
import { fixture } from '../../../test/fixture'
import { PAY_TO, signed, startHarness } from '../../../test/harness'
import { asked, documentedAnswer } from '../../../test/history'
import { newClient, newMerchant } from '../../../test/surface'
import { createCoalesce, createRecent } from '../../analytics/coalesce'
import type { App } from '../../app'
import { getStatus } from './endpoints'
import type { Status } from './status'

const harness = fixture(() => startHarness({ production: true }))
const forgetful = () => ({ ...harness.app, coalesce: createCoalesce(), recent: createRecent() })

async function statusOf(app: App): Promise<Status> {
  const { body } = await documentedAnswer('GET /status.json', getStatus.handle(app, asked('/status.json')))
  return body as Status
}

