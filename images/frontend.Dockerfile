# Image of a remote: docker build -f images/frontend.Dockerfile --build-arg FRONTEND=admin .
# Image of the shell, with its own nginx configuration: --build-arg FRONTEND=shell --build-arg SITE=shell
# NODE_IMAGE and NGINX_IMAGE replace the base images. Dependabot finds the defaults in their FROM, not in an ARG.
ARG NODE_IMAGE=default-node
ARG NGINX_IMAGE=default-nginx
ARG SITE=remote

# The files are the same on every platform, so they are built on the one of the machine.
FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim AS default-node

FROM nginx:1.28.0-bookworm AS default-nginx

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages
COPY --from=manifests /app /app
WORKDIR /app
ARG FRONTEND
RUN npm ci --workspace "frontends/${FRONTEND}" --ignore-scripts

FROM packages AS remote
COPY libs libs
ARG FRONTEND
COPY frontends/${FRONTEND} frontends/${FRONTEND}
RUN npm run build --workspace "frontends/${FRONTEND}" \
  && mkdir --parents /image/srv /image/etc/nginx/site \
  && mv "frontends/${FRONTEND}/dist" /image/srv/www \
  && find /image/srv/www -type f -size +1k -regex '.*\.\(js\|css\|html\|json\|svg\)' -exec gzip -9 --keep {} + \
  && find /image/srv/www -type f -size +1k -regex '.*\.\(js\|css\)' -exec node --eval \
    'for (const file of process.argv.slice(1)) fs.writeFileSync(file + ".br", zlib.brotliCompressSync(fs.readFileSync(file)))' {} +
COPY images/nginx/nginx.conf images/nginx/brotli.conf /image/etc/nginx/
COPY images/nginx/remote.conf /image/etc/nginx/site/

FROM remote AS shell
RUN rm /image/etc/nginx/site/remote.conf \
  && node libs/launcher/src/nginx-policy.ts /image/srv/www/index.html > /image/etc/nginx/site/policy.conf
COPY images/nginx/shell.conf /image/etc/nginx/site/

FROM ${SITE} AS site

FROM ${NGINX_IMAGE}
COPY --from=site /image /
EXPOSE 8080
USER 101:101
STOPSIGNAL SIGQUIT
# The official nginx images contain curl.
HEALTHCHECK --interval=5s --timeout=3s CMD ["curl", "--fail", "--silent", "http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["nginx", "-g", "daemon off;"]
CMD []
ARG FRONTEND VERSION=0.0.0 REVISION=unknown CREATED=unknown
LABEL org.opencontainers.image.title="Confetti ${FRONTEND} frontend" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
