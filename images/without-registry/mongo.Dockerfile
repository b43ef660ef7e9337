FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends postgresql-15 \
  && rm --recursive /var/lib/apt/lists/* /var/lib/postgresql/15 \
  && useradd --uid 999 --user-group --home-dir /data/db mongodb \
  && mkdir --parents /data/db \
  && chown 999:999 /data/db
COPY ferretdb mongo-entry.sh /usr/local/bin/
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
USER 999:999
EXPOSE 27017
ENTRYPOINT ["bash", "/usr/local/bin/mongo-entry.sh"]
