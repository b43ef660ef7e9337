FROM node:24.21.0-trixie-slim
RUN npm install --global --ignore-scripts azurite@3.35.0 && mkdir /data && chown 1000:1000 /data
USER 1000:1000
EXPOSE 10000
CMD ["azurite-blob", "--blobHost", "0.0.0.0", "--location", "/data"]
