ARG NODE_IMAGE=docker.io/library/node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/var/cache/npm npm ci --cache /var/cache/npm --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY connectors ./connectors
COPY sandbox ./sandbox
COPY test ./test
# Only what runs: the bundle, and the one module that cannot be bundled, for this platform. No types, no source maps. What a
# start compiles is of use to the image's own Node and to user 1000: npm's and root's is made again.
RUN npm run build \
 && rm -rf dist/types dist/*.map dist/compiled \
 && node scripts/keep-compiled.ts \
 && find dist/compiled -maxdepth 1 -name '*-0' -exec sh -c 'mv "$1" "${1%-0}-1000"' _ {} \; \
 && chmod -R go=rX dist/compiled \
 && chmod +x dist/main.js \
 && mkdir -p runtime/node_modules/better-sqlite3/prebuilds \
 && cp -r dist package.json runtime/ \
 && cd node_modules/better-sqlite3 \
 && cp -r LICENSE package.json lib /app/runtime/node_modules/better-sqlite3/ \
 && cp "prebuilds/linux-$(node -p process.arch).node" /app/runtime/node_modules/better-sqlite3/prebuilds/

FROM ${NODE_IMAGE} AS runtime
LABEL org.opencontainers.image.title="clinic-sync" \
      org.opencontainers.image.description="Synchronizes a dental clinic's other tools with its practice system" \
      org.opencontainers.image.licenses="MIT"
# One arena: memory that several threads of malloc give back stays scattered, and resident memory creeps up for hours.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
# There the daemon says where it answers, so that a health check reads no configuration.
ENV CLINIC_SYNC_ADDRESS_FILE=/tmp/clinic-sync-address
WORKDIR /app
RUN rm -rf /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/corepack /usr/local/bin/npm /usr/local/bin/npx \
      /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn* \
 && install -d -o node -g node /data /config \
 && ln -s /app/dist/main.js /usr/local/bin/clinic-sync
COPY --from=build /app/runtime ./
COPY config ./config
USER node
VOLUME ["/data", "/config"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["clinic-sync", "health"]
ENTRYPOINT ["clinic-sync"]
CMD ["run"]
