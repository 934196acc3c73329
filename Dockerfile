# syntax=docker/dockerfile:1
# One image for the package-server, the operator registry, and catalogs made on top of it (`opm`). Both architectures:
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=0.1.0 --build-arg REVISION="$(git rev-parse HEAD)" .
# The tags of both bases move: a release pins them to the digests of that day (CONTRIBUTING, "Release").
ARG BUILD_BASE=docker.io/library/node:24-slim
ARG RUN_BASE=gcr.io/distroless/nodejs24-debian13:nonroot

# What is bundled is the same for every architecture, so it is bundled on that of the builder.
FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY build ./build
COPY src ./src
RUN npm run build -- --small && node build/image.ts /image

FROM ${RUN_BASE}
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="olm-package-server" \
      org.opencontainers.image.description="OLM's package-server and operator registry: packagemanifests.packages.operators.coreos.com" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENV NODE_ENV=production
COPY --from=build /image/app/ /app/
# /bin is a link to /usr/bin, where a copy may go.
COPY --from=build /image/bin/ /usr/bin/
# OLM mounts its certificates below /, and --cert-dir is taken from here.
WORKDIR /
# A number, because runAsNonRoot cannot look a name up.
USER 65532:65532
EXPOSE 5443 50051
ENTRYPOINT ["/bin/package-server"]
