FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends curl nginx-light \
  && rm --recursive /var/lib/apt/lists/* /etc/nginx/sites-enabled
STOPSIGNAL SIGQUIT
CMD ["nginx", "-g", "daemon off;"]
