# kode-run with git and the sandbox: docker build -t kode-run . && docker run --rm -v "$PWD:/workspace" kode-run "Say what this is"
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.mjs scripts/
COPY src src
RUN node scripts/build.mjs

FROM node:24-bookworm-slim
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends bubblewrap ca-certificates git ripgrep \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/dist /opt/kode-run/dist
COPY package.json LICENSE* /opt/kode-run/
COPY presets /opt/kode-run/presets
RUN ln -s /opt/kode-run/dist/cli.js /usr/local/bin/kode-run
USER node
WORKDIR /workspace
ENTRYPOINT ["kode-run"]
