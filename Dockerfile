# Forager in a container: docs/guides/containers.md. Build it in a clone: docker build --tag forager .

FROM node:24-slim AS build
WORKDIR /forager
COPY package.json package-lock.json ./
# No package needs an install script: native parts come as platform packages.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY tools/bundle tools/bundle
RUN npm run build:code

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /forager
COPY package.json package-lock.json LICENSE ./
# pg is for crawls on several machines; elsewhere users install it themselves.
RUN npm ci --omit=dev --ignore-scripts && npm install --no-save --omit=dev --ignore-scripts pg@8.23.1 && npm cache clean --force
COPY models models
COPY src/faces/cli/forager.mjs src/faces/cli/forager.mjs
COPY --from=build /forager/dist dist
RUN ln -s /forager/src/faces/cli/forager.mjs /usr/local/bin/forager && mkdir /data && chown 1000:1000 /data

# Crawls, models and corpora. All else is only read, apart from /tmp.
WORKDIR /data
# The user "node" of the image, as a number: Kubernetes checks numbers only.
USER 1000:1000
# Forager finishes the requests in flight, stores everything and exits with code 130.
STOPSIGNAL SIGTERM
ENTRYPOINT ["forager"]
CMD ["--help"]
