import { startTwoNetworks } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { failoverCases } from './failover-cases'
import { startMerchantProcess } from './merchant-process'

failoverCases(fixture(startTwoNetworks), startMerchantProcess)
