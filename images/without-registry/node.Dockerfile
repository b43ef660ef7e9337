FROM debian:trixie-slim AS packages
RUN apt-get update && apt-get install --yes --no-install-recommends npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN npm install --prefix /packages node@24.21.0 \
  && /packages/node_modules/.bin/node /usr/share/nodejs/npm/bin/npm-cli.js install --prefix /packages npm@11.19.1

FROM debian:trixie-slim
COPY --from=packages /packages/node_modules/node/bin/node /usr/local/bin/node
COPY --from=packages /packages/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln --symbolic ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln --symbolic ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
  && groupadd --gid 1000 node \
  && useradd --uid 1000 --gid node --create-home node
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
