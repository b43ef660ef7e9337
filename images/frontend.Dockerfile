# The image of a frontend: docker build -f images/frontend.Dockerfile --build-arg FRONTEND=admin .
# The shell's has its own site file: --build-arg FRONTEND=shell --build-arg SITE=shell
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG NGINX_IMAGE=nginx:1.28.0-bookworm
ARG SITE=remote

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM ${NODE_IMAGE} AS packages
COPY --from=manifests /app /app
WORKDIR /app
ARG FRONTEND
RUN npm install --workspace "frontends/${FRONTEND}" --ignore-scripts

FROM packages AS remote
COPY libs libs
ARG FRONTEND
COPY frontends/${FRONTEND} frontends/${FRONTEND}
RUN npm run build --workspace "frontends/${FRONTEND}" \
  && mkdir --parents /image/srv /image/etc/nginx/site \
  && mv "frontends/${FRONTEND}/dist" /image/srv/www \
  && find /image/srv/www -type f -size +1k -regex '.*\.\(js\|css\|html\|json\|svg\)' -exec gzip -9 --keep {} +
COPY images/nginx/nginx.conf /image/etc/nginx/
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
# Official images of nginx have curl.
HEALTHCHECK --interval=5s --timeout=3s CMD ["curl", "--fail", "--silent", "http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["nginx", "-g", "daemon off;"]
CMD []
ARG FRONTEND VERSION=0.0.0 REVISION=unknown CREATED=unknown
LABEL org.opencontainers.image.title="Confetti ${FRONTEND} frontend" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
