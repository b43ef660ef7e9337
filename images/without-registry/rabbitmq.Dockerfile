FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends rabbitmq-server \
  && rm --recursive /var/lib/apt/lists/* \
  && usermod --uid 999 rabbitmq && groupmod --gid 999 rabbitmq \
  && chown --recursive 999:999 /var/lib/rabbitmq /var/log/rabbitmq
# The wrapper scripts in /usr/sbin switch users, which requires root.
ENV PATH=/usr/lib/rabbitmq/bin:$PATH HOME=/var/lib/rabbitmq RABBITMQ_LOGS=- LANG=C.UTF-8
USER 999:999
EXPOSE 5672
CMD ["rabbitmq-server"]
