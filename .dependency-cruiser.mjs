// Who may import whom, checked by `npm run imports`. `docs/architecture.md` shows the same table as a picture.

/**
 * What each folder of server/ may import besides itself and `base`. Folders that are not listed stand on top:
 * operations, trpc (all but its context) and boot.
 */
const LAYERS = {
  x402: [],
  env: ['x402'],
  chains: ['x402'],
  db: ['x402'],
  ledger: ['x402', 'chains', 'db'],
  http: ['x402', 'db'],
  accounts: ['x402', 'db', 'ledger', 'http', 'sign-in'],
  'sign-in': ['x402', 'db', 'ledger', 'http', 'accounts'],
  screening: ['x402', 'http', 'accounts'],
  payments: ['x402', 'chains', 'db', 'ledger', 'http', 'accounts', 'screening', 'discovery'],
  agents: ['x402', 'db', 'ledger', 'http', 'accounts', 'sign-in', 'payments'],
  history: ['x402', 'db', 'ledger', 'http', 'accounts', 'sign-in', 'agents'],
  sums: ['x402', 'db', 'accounts', 'history'],
  discovery: ['x402', 'db', 'ledger', 'http', 'accounts', 'sums'],
  analytics: ['x402', 'db', 'ledger', 'http', 'accounts', 'sign-in', 'discovery', 'history', 'sums'],
  explain: ['x402', 'chains', 'db', 'ledger', 'http', 'accounts', 'sign-in', 'discovery', 'payments', 'history'],
  mcp: ['x402', 'db', 'http', 'accounts', 'sign-in', 'discovery', 'payments', 'agents', 'explain'],
  webhooks: ['x402', 'db', 'ledger', 'http', 'accounts', 'sign-in'],
}

/** What a handler may use besides its layers. The ledger and what lies below know neither. */
const HANDLERS = '^server/(app|trpc/context)\\.ts$'
const BELOW_HANDLERS = ['x402', 'chains', 'db', 'ledger']

const BASE = '^server/base/'
const TESTS = '\\.test\\.tsx?$'

const layers = Object.entries(LAYERS).map(([folder, below]) => ({
  name: `${folder}-imports-downwards`,
  comment: `server/${folder} may import ${below.join(', ') || 'no other folder'}`,
  severity: 'error',
  from: { path: `^server/${folder}/`, pathNot: TESTS },
  to: {
    path: '^(server|app|components)/',
    pathNot: [`^server/(${[folder, ...below].join('|')})/`, BASE, ...(BELOW_HANDLERS.includes(folder) ? [] : [HANDLERS])],
  },
}))

/** What each floor of components/ may import of app and components besides the floors below it: ui, client, then screens and site. */
const FLOORS = {
  ui: { from: '^components/ui/', own: [] },
  client: { from: '^components/client/', own: ['^components/client/'] },
  screens: { from: '^components/screens/([^/]+)/', own: ['^components/client/', '^components/screens/$1/'] },
  // Preview pictures show the titles of the guides.
  site: {
    from: '^components/site/([^/]+)/',
    own: ['^components/client/', '^components/site/($1|frame|pictures)/', '^components/site/docs/pages\\.ts$'],
  },
}

const floors = [
  ...Object.entries(FLOORS).map(([floor, { from, own }]) => ({
    name: `${floor}-imports-downwards`,
    comment: 'ui <- client <- screens | site <- app; a screen imports no other screen',
    severity: 'error',
    from: { path: from, pathNot: TESTS },
    to: { path: '^(app|components)/', pathNot: ['^components/ui/', ...own] },
  })),
  {
    name: 'ui-knows-no-server',
    comment: 'ui imports what is pure: the protocol, days and zones',
    severity: 'error',
    from: { path: '^components/ui/', pathNot: TESTS },
    to: { path: '^server/', pathNot: '^server/(base|x402)/' },
  },
  {
    name: 'four-floors',
    comment: 'every component lies on a floor; each screen and each page has a folder',
    severity: 'error',
    from: {},
    to: { path: '^components/', pathNot: '^components/(ui|client|screens/[^/]+|site/[^/]+)/' },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers,
    {
      name: 'base',
      comment: 'base knows nothing of payments: it imports nothing of ours',
      severity: 'error',
      from: { path: BASE },
      to: { path: '^(server|app|components)/', pathNot: BASE },
    },
    {
      name: 'chain-families-apart',
      comment: 'EVM and Solana do not know each other',
      severity: 'error',
      from: { path: '^server/chains/(evm|svm)/', pathNot: TESTS },
      to: { path: '^server/chains/(evm|svm)/', pathNot: '^server/chains/$1/' },
    },
    ...floors,
    {
      name: 'app-on-top',
      comment: 'app holds addresses, and no module names it; the server loads the route files that it finds there',
      severity: 'error',
      from: { path: '^(server|components|devnet|bench|scripts)/', pathNot: TESTS },
      to: { path: '^app/' },
    },
    {
      name: 'server-below-the-interface',
      comment: 'the server imports no component; the table of endpoints names the shared documents',
      severity: 'error',
      from: { path: '^server/', pathNot: [TESTS, '^server/endpoints\\.ts$'] },
      to: { path: '^components/' },
    },
    {
      name: 'boot-on-top',
      comment: 'only the process and its doctor build the parts',
      severity: 'error',
      from: { path: '^(server|app|components)/', pathNot: [TESTS, '^server/(main\\.ts|boot/|operations/doctor/)'] },
      to: { path: '^server/(boot/|main\\.ts)' },
    },
    {
      name: 'product-alone',
      comment: 'tests, local chains and tools are not part of the product',
      severity: 'error',
      from: { path: '^(server|app|components)/', pathNot: TESTS },
      to: { path: '^(devnet|test|e2e|bench|examples|packages|scripts)/' },
    },
    {
      name: 'packages-alone',
      comment: 'what we publish depends on nothing of the service',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: [TESTS, '^packages/[^/]+/test/'] },
      to: { path: '^(app|bench|components|devnet|e2e|examples|packages|scripts|server|test)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'no-circular',
      comment: 'no import cycles, types included; App names every part, and parts name App',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { circular: true, viaOnly: { pathNot: '^server/app\\.ts$' } },
    },
    {
      name: 'no-solana-packages',
      severity: 'error',
      from: { path: '^server/', pathNot: TESTS },
      to: { path: '^node_modules/@solana/' },
    },
    {
      name: 'next-in-screens',
      severity: 'error',
      from: { path: '^server/', pathNot: [TESTS, '^server/main\\.ts$'] },
      to: { path: '^node_modules/(next|react)/' },
    },
    {
      name: 'folders-have-nouns',
      comment: 'a folder is named after what it holds',
      severity: 'error',
      from: {},
      to: { path: '/(util|utils|lib|libs|helpers|common|shared|misc)/', pathNot: '(^|/)node_modules/' },
    },
    {
      name: 'resolved',
      comment:
        'an import that leads nowhere; the programs of the legacy clients have packages of their own, which only `npm test` installs',
      severity: 'error',
      from: { pathNot: '^test/legacy/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^generated/'] },
    exclude: { path: ['^\\.next/', 'next-env\\.d\\.ts', '^packages/[^/]+/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
  },
}
