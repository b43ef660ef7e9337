# Image of a service: docker build -f images/service.Dockerfile --build-arg FOLDER=services/uploads .
# The media worker's also has ffmpeg and heif-convert: --build-arg FOLDER=services/media --build-arg TOOLS=media-tools
# NODE_IMAGE replaces the base image. Dependabot finds the default in its FROM, not in an ARG.
ARG NODE_IMAGE=default-node
ARG TOOLS=no-tools

FROM node:24.21.0-trixie-slim AS default-node

# Only the package manifests, so that a change of the code keeps the cached packages. Without devDependencies, because
# npm would install the test kits that workspaces name there.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete \
  && npm pkg delete devDependencies --workspaces --include-workspace-root

# Not `npm ci`: it refuses manifests without the devDependencies that the lockfile has.
FROM ${NODE_IMAGE} AS packages
COPY --from=manifests /app /app
WORKDIR /app
ARG FOLDER
RUN npm install --workspace "${FOLDER}" --workspace libs/bundler --omit=dev --ignore-scripts

FROM packages AS bundle
COPY libs libs
ARG FOLDER
COPY ${FOLDER} ${FOLDER}
RUN node libs/bundler/src/bundle-service.ts "${FOLDER}" \
  && rm -rf "${FOLDER}/src" "${FOLDER}/node_modules"

# The packages that are not in the bundle.
FROM ${NODE_IMAGE} AS external-packages
COPY --from=manifests /app /app
WORKDIR /app
COPY libs/bundler/src libs/bundler/src
ARG FOLDER
RUN node libs/bundler/src/keep-external-packages.ts ./package.json ./*/package.json ./*/*/package.json \
  && npm install --workspace "${FOLDER}" --omit=dev --ignore-scripts

FROM scratch AS no-tools

# ffmpeg from Debian's source with only what posters and renditions need: smaller than Debian's package, and with less
# code that a guest's file can attack. libx264 and heif-convert are Debian's, with the libraries that they are linked to.
FROM ${NODE_IMAGE} AS built-tools
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN find /usr/lib -name '*.so*' > /libraries-of-node \
  && sed --in-place 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
  && apt-get update \
  && apt-get install --yes --no-install-recommends \
    dpkg-dev gcc libc6-dev libdav1d-dev libheif-examples libx264-dev libzimg-dev make nasm pkg-config
WORKDIR /source
RUN apt-get source --only-source ffmpeg && mv ffmpeg-*/ ffmpeg
WORKDIR /source/ffmpeg
RUN ./configure --prefix=/tools/usr --disable-everything --disable-autodetect --disable-network --disable-doc \
    --disable-debug --enable-gpl --enable-libdav1d --enable-libx264 --enable-libzimg \
    --enable-protocol=file,pipe --enable-demuxer=mov \
    --enable-muxer=rawvideo,mp4 --enable-encoder=rawvideo,libx264,aac \
    --enable-filter=scale,setsar,fps,zscale,tonemap,format,null,trim,transpose,hflip,vflip,rotate \
    --enable-filter=aresample,aformat,anull,atrim \
    --enable-parser=h263,h264,hevc,mjpeg,mpeg4video,mpegvideo,vp8,vp9,av1,aac,ac3,mpegaudio \
    --enable-decoder=dnxhd,h263,h264,hevc,libdav1d,mjpeg,mpeg2video,mpeg4,png,prores,rawvideo,vp8,vp9 \
    --enable-decoder=aac,ac3,alac,amrnb,amrwb,eac3,mp3,opus,pcm_alaw,pcm_mulaw,pcm_s16be,pcm_s16le,pcm_s24le \
  && make --jobs="$(nproc)" install-progs
# libheif loads its decoder of HEVC as a plugin, which `ldd` does not find.
RUN cp /usr/bin/heif-convert /tools/usr/bin/ \
  && cp --parents /usr/lib/*/libheif/plugins/libheif-libde265.so /tools \
  && ldd /tools/usr/bin/* /tools/usr/lib/*/libheif/plugins/* | sed --quiet 's|.*=> /\(usr/\)\?\(lib/[^ ]*\) .*|/usr/\2|p' | sort --unique \
  | grep --invert-match --line-regexp --fixed-strings --file=/libraries-of-node \
  | xargs --replace cp --dereference --parents {} /tools

FROM scratch AS media-tools
COPY --from=built-tools /tools /

FROM ${TOOLS} AS tools

FROM ${NODE_IMAGE}
# An older Node cannot run the service: let the build fail instead of each start.
RUN ["node", "--eval", "const { node } = process.versions; if (parseInt(node) < 24) throw new Error(`NODE_IMAGE has Node ${node}, but services need 24 or newer`)"]
COPY --from=tools / /
ARG FOLDER
WORKDIR /app/${FOLDER}
COPY --from=external-packages /app /app
COPY --from=bundle /app/${FOLDER} .
ENV NODE_ENV=production PORT=8080 METRICS_PORT=9090
EXPOSE 8080 9090
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:8080/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=1"]
CMD ["dist/main.js"]
ARG VERSION=0.0.0 REVISION=unknown CREATED=unknown
LABEL org.opencontainers.image.title="Confetti ${FOLDER}" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
