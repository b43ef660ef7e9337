FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends redis-server \
  && rm --recursive /var/lib/apt/lists/* \
  && ln --symbolic redis-server /usr/bin/valkey-server \
  && ln --symbolic redis-cli /usr/bin/valkey-cli
WORKDIR /data
USER 999:999
EXPOSE 6379
CMD ["valkey-server"]
