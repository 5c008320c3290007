# One static binary. It needs a PostgreSQL server: DATABASE_URL.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /dialwright ./cmd/dialwright

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /dialwright /dialwright
ENV DIALWRIGHT_ADDR=0.0.0.0:8080
EXPOSE 8080
ENTRYPOINT ["/dialwright"]
CMD ["serve"]
