import { startTwoNetworks } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { crashCases } from './crash-cases'
import { startMerchantProcess } from './merchant-process'

crashCases(fixture(startTwoNetworks), startMerchantProcess)
