import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { serve } from '@confetti/launcher'
import { call, eventually, sendDirect, sendFiles, uniquePhoto, uploadForm } from '@confetti/test-kit'
import { createUploads } from '@confetti/contracts'
import { afterEach, expect, test } from '@jest/globals'
import { startHarness, waitForProcessing, type Harness } from './harness.ts'

interface Span {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string } }[]
}

const readAttribute = ({ attributes }: Pick<Span, 'attributes'>, name: string): string | undefined =>
  attributes.find(({ key }) => key === name)?.value.stringValue

let harness: Harness | undefined
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await harness?.system.stop()
  harness = undefined
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

/** Starts an OTLP receiver that records spans. */
const startSpanReceiver = async () => {
  const spans: Span[] = []
  const { url, close } = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { resourceSpans = [] } = JSON.parse(Buffer.concat(chunks).toString())
      for (const { resource, scopeSpans } of request.url === '/v1/traces' ? resourceSpans : [])
        for (const scope of scopeSpans)
          for (const span of scope.spans)
            spans.push({ ...span, service: readAttribute(resource, 'service.name') ?? '' })
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  cleanups.push(close)
  return { url, spans }
}

/** Waits for a span with this name that `matches`. */
const findSpan = (
  spans: readonly Span[],
  service: string,
  name: string,
  matches: (span: Span) => boolean,
): Promise<Span> =>
  eventually(
    () => spans.find((span) => span.service === service && span.name === name && matches(span)),
    `the span ${name} of ${service}`,
  )

/** Starts a server that accepts requests and never responds. */
const startHangingServer = async (): Promise<string> => {
  const server: Server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// Tracing is of a whole process.
const traced = ['gateway', 'events', 'uploads', 'media'] as const

test('When a guest uploads a photo, then all its spans form one trace, and the trace id of the client is ignored', async () => {
  const receiver = await startSpanReceiver()
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  harness = await startHarness({
    processes: traced,
    environment: {
      gateway: tracing,
      // Without a broker, the uploads service does not receive the event and has to request it over HTTP.
      events: { ...tracing, RABBITMQ_URL: 'amqp://127.0.0.1:1' },
      uploads: tracing,
      media: tracing,
    },
  })
  const { api, event } = harness
  const { headers, body } = await call(api, createUploads, {
    body: uploadForm(event._id, 'Table 4', [{ name: 'image.jpg', bytes: await uniquePhoto() }]),
    headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  })
  const uploadId = body.uploads[0]._id as string
  await waitForProcessing(harness, uploadId)

  /** Waits for the span with this name and parent; without a parent, for the root span of the request. */
  const waitForSpan = (service: string, name: string, parent?: Span): Promise<Span> =>
    findSpan(receiver.spans, service, name, (span) =>
      parent
        ? span.parentSpanId === parent.spanId
        : readAttribute(span, 'confetti.request_id') === headers.get('x-request-id'),
    )
  const root = await waitForSpan('gateway', 'POST /api/uploads')
  const forwarded = await waitForSpan('gateway', 'POST /api/uploads', root)
  const upload = await waitForSpan('uploads', 'POST /api/uploads', forwarded)
  for (const phase of ['admit', 'commit']) await waitForSpan('uploads', phase, upload)
  const receive = await waitForSpan('uploads', 'receive', upload)
  const eventRequest = await waitForSpan('uploads', 'GET /internal/events/{eventId}', receive)
  await waitForSpan('events', 'GET /internal/events/{eventId}', eventRequest)
  const record = await waitForSpan('uploads', 'record', upload)
  await waitForSpan('uploads', 'send upload.completed.v1', record)
  const processing = await waitForSpan('media', 'process media.upload-completed', record)
  await waitForSpan('media', 'decode', processing)
  await waitForSpan('media', 'send media.processed.v1', processing)
  const completion = await waitForSpan('uploads', 'process uploads.media-processed', processing)

  expect(root.parentSpanId ?? '').toBe('')
  expect(root.traceId).toMatch(/^(?!a{32})[0-9a-f]{32}$/)
  expect(completion.traceId).toBe(root.traceId)
  const traceSpans = receiver.spans.filter(({ traceId }) => traceId === root.traceId)
  expect(traceSpans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([root])
  expect(readAttribute(processing, 'confetti.upload_id')).toBe(uploadId)
  // The log lines contain the trace id.
  const lines = harness.system.log.filter((line) => line.includes(root.traceId))
  expect(new Set(lines.map((line) => JSON.parse(line).service))).toEqual(
    new Set(['gateway', 'events', 'uploads', 'media']),
  )
})

test('When a guest sends a photo straight to blob storage, then the trace of its ticket continues in its completion and in media', async () => {
  const receiver = await startSpanReceiver()
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  harness = await startHarness({
    processes: traced,
    environment: { gateway: tracing, uploads: tracing, media: tracing },
  })
  const { api, event } = harness
  const { body } = await sendDirect(api, event._id, { name: 'image.jpg', bytes: await uniquePhoto() })
  const uploadId = body.uploads[0]._id as string
  await waitForProcessing(harness, uploadId)
  const waitForSpan = (service: string, name: string, traceId?: string): Promise<Span> =>
    findSpan(receiver.spans, service, name, (span) => !traceId || span.traceId === traceId)
  const { traceId, spanId } = await waitForSpan('uploads', 'POST /api/uploads/tickets')
  const completion = await waitForSpan('uploads', 'complete upload', traceId)
  expect(completion.parentSpanId).toBe(spanId)
  expect(readAttribute(completion, 'confetti.upload_id')).toBe(uploadId)
  await waitForSpan('gateway', 'POST /api/uploads/tickets', traceId)
  await waitForSpan('media', 'decode', traceId)
  await waitForSpan('uploads', 'process uploads.media-processed', traceId)
})

test('When a trace is not sampled by the gateway, then no service records spans of it', async () => {
  const receiver = await startSpanReceiver()
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  harness = await startHarness({
    processes: traced,
    environment: { gateway: { ...tracing, OTEL_TRACES_SAMPLER_ARG: '0' }, uploads: tracing, media: tracing },
  })
  const { api, event } = harness
  const sent = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
  await waitForProcessing(harness, sent.body.uploads[0]._id as string)
  // A service exports its last spans when it stops.
  await harness.system.stop()
  const names = new Set(receiver.spans.map(({ name }) => name))
  harness = undefined
  // These messages start new traces: the events service does not trace here, and no request declares queues.
  expect([...names].toSorted()).toEqual(['process uploads.event-created', 'process uploads.queue-created'])
})

test('When spans cannot be exported, then uploads still succeed, services log it once and stop normally', async () => {
  const hanging = { OTEL_EXPORTER_OTLP_ENDPOINT: await startHangingServer() }
  const unreachable = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  harness = await startHarness({
    processes: traced,
    environment: { gateway: hanging, uploads: unreachable, media: hanging },
  })
  const { api, event, system } = harness
  for (let photo = 0; photo < 3; photo += 1) {
    const sent = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
    expect(sent.status).toBe(201)
    await waitForProcessing(harness, sent.body.uploads[0]._id as string)
  }
  const exportFailures = () => system.log.filter((line) => line.includes('span export failed'))
  await eventually(() => exportFailures().length === 3, 'a log line of each service')
  await sendFiles(api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
  for (const name of ['gateway', 'uploads', 'media'] as const)
    expect(await system.replicas(name)[0]?.stop()).toBe(0)
  expect(exportFailures()).toHaveLength(3)
})
