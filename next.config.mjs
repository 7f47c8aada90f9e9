/** @type {import('next').NextConfig} */
export default {
  // Beside the pages lie the files of Next and of their packages that they need, so the service runs without `node_modules/next`.
  output: 'standalone',
  // Pictures stay as they are.
  outputFileTracingExcludes: { '*': ['node_modules/@img/**', 'node_modules/sharp/**'] },
  poweredByHeader: false,
  // No page uses the image optimizer, which would decode pictures for every visitor. The server in front answers 404 too.
  images: { unoptimized: true },
  // `npm test` checks the types; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  // Paths may hold an API key, and a redirect would copy it into a header; the server in front normalises them instead.
  skipTrailingSlashRedirect: true,
  // In development Next would print the path of every request; the server in front logs its pattern.
  logging: { incomingRequests: false },
  // Packages with native parts, WebAssembly or files beside their code run from node_modules as they are.
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@electric-sql/pglite-socket',
    '@prisma/adapter-pg',
    '@prisma/client',
    'pg',
    'pino',
    'secp256k1',
    'viem',
  ],
  turbopack: { rules: { '*.mdx': { loaders: ['@mdx-js/loader'], as: '*.jsx' } } },
  allowedDevOrigins: ['127.0.0.1'],
  devIndicators: false,
  experimental: {
    // A build is made once, so it keeps no cache. Server code stays readable in stack traces, and needs no source maps.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    serverMinification: false,
    // Fewer, larger scripts compress better: the first load of a screen is up to 1 KB smaller.
    turbopackChunking: { minChunkSize: 100_000 },
  },
}
