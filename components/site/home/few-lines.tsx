import { facilitatorLines, sandboxSale } from '../../client/programs/merchants'
import { Code } from '../../ui/code/code'

/** What a server adds to be paid, as in the programs of the quick start. */
export function FewLines({ baseUrl }: { baseUrl: string }) {
  return <Code code={fewLines(baseUrl)} name="In your server" language="typescript" />
}

function fewLines(baseUrl: string): string {
  return `import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { x402ResourceServer } from '@x402/express'

${facilitatorLines(sandboxSale(baseUrl))}`
}
