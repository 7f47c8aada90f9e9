# Two images: `runtime` (only the service) and `demo` (the service in a local world, with its chains).
#   npm run image (the first, under its name and version)
#   docker build --target demo -t quittance-demo . && docker run --rm --init --network host quittance-demo
FROM node:24.21.0-slim AS base
WORKDIR /quittance
ENV NEXT_TELEMETRY_DISABLED=1 CHECKPOINT_DISABLE=1

# The packages that are neither in the built server nor in the built pages. Not "npm ci": it refuses a lock file written where some platforms' packages are unavailable.
FROM base AS packages
COPY package.json package-lock.json .npmrc ./
RUN npm install --omit=dev && npm cache clean --force

# All packages, the generated database client and the built pages.
FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm install --include=dev && npm cache clean --force
COPY . .
RUN node scripts/build.mjs

# Its chains, merchant and identity provider listen only on this machine, so it runs in the host's network.
FROM base AS demo
COPY --from=build --chown=node:node /quittance ./
RUN mkdir -p .data && chown node:node . .data
USER node
CMD ["node", "scripts/demo.mjs"]

FROM base AS runtime
ENV NODE_ENV=production PORT=3000 DATA_DIR=/data
# An environment file may set DATA_DIR to nothing: the default folder is the volume too.
RUN mkdir /data && chown node:node /data && ln -s /data .data
COPY --from=packages /quittance/node_modules ./node_modules
COPY --from=build /quittance/package.json ./
COPY --from=build /quittance/prisma/migrations ./prisma/migrations
COPY --from=build /quittance/.next/standalone ./.next/standalone
COPY --from=build /quittance/dist ./dist
COPY --from=build /quittance/scripts/start.mjs ./scripts/
COPY --from=build /quittance/server/db/embedded-worker.mjs ./server/db/
USER node
EXPOSE 3000
# Only for the embedded database; with DATABASE_URL the service writes only to /tmp.
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1: it receives SIGTERM and drains. Its only child, under load, lives for milliseconds.
CMD ["node", "scripts/start.mjs"]
