# Clew without development tools. Every step is also carried out by test/package/container.test.ts.

# The page as one script and one style sheet, and the server's start as few files. What bundles them stays behind.
FROM node:24-slim AS page
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY src ./src
COPY packages ./packages
COPY scripts/bundle.ts scripts/server-bundle.ts scripts/
RUN node scripts/bundle.ts /bundle bundle

FROM node:24-slim

# HOST is open because a container's loopback reaches nobody: start with -e WEB_TOKEN=<a long random text>, without which
# Clew refuses an open HOST. With REDIS_URL the work lives there; without it in the embedded store on the volume.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data

WORKDIR /app

# For INDEX_FOLDERS: git says which files of a repository belong to it.
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*

# The optional packages are Clew's own Node, which the image has, and native builds of code that also runs without them.
# No package runs a script of its own while it is installed.
COPY package.json package-lock.json ./
COPY scripts/slim.mjs scripts/
RUN npm ci --omit=dev --omit=optional --ignore-scripts && node scripts/slim.mjs && npm cache clean --force

COPY LICENSE .env.example start.mjs ./
COPY src ./src
COPY packages ./packages
# The manual, which Set up shows on the page; .env.example is its page of settings.
COPY docs ./docs
COPY --from=page /bundle ./src/adapters/web/bundle
COPY --from=page /app/bundle ./bundle
# docker exec <container> node scripts/container.ts doctor
COPY scripts/container.ts scripts/doctor.ts scripts/manifest.ts scripts/tool-types.ts scripts/

RUN mkdir -p /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000

# Alive, not ready: engines that start a container again because of this must not do it for a store that is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "start.mjs"]
