# syntax=docker/dockerfile:1
# Releases and compose.yaml give the same image by its digest.
ARG NODE_IMAGE=docker.io/library/node:24-trixie-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/var/cache/npm npm ci --cache /var/cache/npm --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY connectors ./connectors
COPY sandbox ./sandbox
RUN npm run build && chmod +x dist/src/main.js

# Only what runs: no other Google APIs, no other platforms' binaries, no sources, maps or types.
FROM ${NODE_IMAGE} AS deps
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/var/cache/npm npm ci --cache /var/cache/npm --omit=dev --no-audit --no-fund \
 && find node_modules/googleapis/build/src/apis -mindepth 1 -maxdepth 1 -type d ! -name sheets -exec rm -rf {} + \
 && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
 && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && find node_modules -type f \( -name '*.map' -o -name '*.md' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete

FROM ${NODE_IMAGE} AS runtime
LABEL org.opencontainers.image.title="clinic-sync" \
      org.opencontainers.image.description="Keeps a dental clinic's other tools in step with its practice system" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
RUN install -d -o node -g node /data /config && ln -s /app/dist/src/main.js /usr/local/bin/clinic-sync
COPY --from=deps /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY config ./config
COPY package.json ./
USER node
VOLUME ["/data", "/config"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["clinic-sync", "health"]
ENTRYPOINT ["clinic-sync"]
CMD ["run"]
