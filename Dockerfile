# Three stages: the wheel, an environment with the wheel and the pinned dependencies, and a small image that runs it as a user without rights.
FROM python:3.13-slim AS wheel
WORKDIR /src
RUN pip install --no-cache-dir build
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY ontology ontology
COPY kb_builder kb_builder
COPY cds_service cds_service
RUN python -m build --wheel --outdir /dist .

FROM python:3.13-slim AS environment
RUN python -m venv /opt/pharmgraph
COPY constraints.txt /tmp/constraints.txt
COPY --from=wheel /dist /dist
RUN wheel=$(ls /dist/*.whl) \
    && /opt/pharmgraph/bin/pip install --no-cache-dir --only-binary :all: --constraint /tmp/constraints.txt "pharmgraph-cds[cluster] @ file://$wheel"
COPY fixtures/monographs /tmp/monographs
RUN /opt/pharmgraph/bin/kb-builder build --source /tmp/monographs --out /opt/releases/starter \
    && /opt/pharmgraph/bin/kb-builder check --release /opt/releases/starter

FROM python:3.13-slim
LABEL org.opencontainers.image.title="PharmGraph CDS" \
      org.opencontainers.image.description="Prescription audit over CDS Hooks" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --home-dir /var/lib/pharmgraph --create-home pharmgraph
COPY --from=environment /opt/pharmgraph /opt/pharmgraph
COPY --from=environment /opt/releases /opt/releases
ENV PATH=/opt/pharmgraph/bin:$PATH PYTHONUNBUFFERED=1
USER pharmgraph
WORKDIR /var/lib/pharmgraph
VOLUME /var/lib/pharmgraph
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/health', timeout=2)"]
ENTRYPOINT ["cds-service"]
CMD ["serve", "--release", "/opt/releases/starter", "--host", "0.0.0.0", "--port", "8080", "--state", "/var/lib/pharmgraph/state"]
