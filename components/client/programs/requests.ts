import type { CredentialName } from '@/server/http/openapi/credential-texts'
import type { Variant } from '../../ui/code/tabs'

/** A request of the reference: `url` is absolute, `body` null without one. */
export type ShownRequest = { method: string; url: string; credential: CredentialName | null; body: unknown }

/** A header whose value is in a variable of the environment, after a fixed prefix. */
type SecretHeader = { name: string; prefix: string; variable: string }

const HEADERS: Record<CredentialName, readonly SecretHeader[]> = {
  key: [],
  merchant: [{ name: 'Authorization', prefix: 'Bearer ', variable: 'TOKEN' }],
  session: [{ name: 'Authorization', prefix: 'Bearer ', variable: 'TOKEN' }],
  admin: [{ name: 'Authorization', prefix: 'Bearer ', variable: 'ADMIN_KEY' }],
  siwe: [
    { name: 'X-SIWE-Message', prefix: '', variable: 'MESSAGE' },
    { name: 'X-SIWE-Signature', prefix: '', variable: 'SIGNATURE' },
  ],
  payment: [{ name: 'PAYMENT-SIGNATURE', prefix: '', variable: 'PAYMENT' }],
}

/** A request in the languages of the reference. Secrets come from the environment. */
export function requestPrograms(request: ShownRequest): Variant[] {
  return [
    { label: 'curl', name: 'Request', code: curl(request), language: 'shellscript' },
    { label: 'TypeScript', name: 'Request', code: typescript(request), language: 'typescript' },
    { label: 'Python', name: 'Request', code: python(request), language: 'python' },
  ]
}

const headersOf = ({ credential }: ShownRequest): readonly SecretHeader[] => (credential === null ? [] : HEADERS[credential])

function curl(request: ShownRequest): string {
  const { method, url, body } = request
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...headersOf(request).map(({ name, prefix, variable }) => `-H "${name}: ${prefix}$${variable}"`),
    ...(body === null
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(indented(JSON.stringify(body, null, 2), '  '))}`]),
  ]
  return parts.join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function typescript(request: ShownRequest): string {
  const { method, url, body } = request
  const headers = [
    ...headersOf(request).map(({ name, prefix, variable }) => {
      const value = `process.env.${variable}`
      return `'${name}': ${prefix === '' ? value : `'${prefix}' + ${value}`}`
    }),
    ...(body === null ? [] : ["'Content-Type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === null ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),`]),
  ]
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n${options.join('\n')}\n})`
  return `const response = await ${call}\nconsole.log(response.status, await response.text())`
}

function python(request: ShownRequest): string {
  const { method, url, body } = request
  const secrets = headersOf(request)
  const headers = [
    ...secrets.map(({ name, prefix, variable }) => {
      const value = `os.environ["${variable}"]`
      return `"${name}": ${prefix === '' ? value : `"${prefix}" + ${value}`}`
    }),
    ...(body === null ? [] : ['"Content-Type": "application/json"']),
  ]
  const options = [
    `    "${url}",`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === null ? [] : [`    data=json.dumps(${indented(pythonLiteral(body), '    ')}).encode(),`]),
  ]
  const imports = [
    ...(body === null ? [] : ['import json']),
    ...(secrets.length > 0 ? ['import os'] : []),
    'import urllib.request',
  ]
  return `${imports.join('\n')}

request = urllib.request.Request(
${options.join('\n')}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

/** JSON as Python writes it. A text of JSON is a text of Python. */
function pythonLiteral(value: unknown, by = ''): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inside = `${by}  `
  const items = Array.isArray(value)
    ? value.map((item) => `${inside}${pythonLiteral(item, inside)}`)
    : Object.entries(value).map(([name, item]) => `${inside}${JSON.stringify(name)}: ${pythonLiteral(item, inside)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')},\n${by}${close}`
}
