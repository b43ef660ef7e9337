import { serve, startService, type ServiceProcess } from '@confetti/launcher'
import {
  call,
  eventually,
  sendDirect,
  sendFiles,
  uniquePhoto,
  uploadForm,
  type ApiResponse,
} from '@confetti/test-kit'
import { createUploads } from '@confetti/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
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

let harness: Harness
let gatewayWithoutSamples: ServiceProcess
/** The responses to what is sent before the first test, because services export their spans only every five seconds. */
let sentByForm: ApiResponse
let sentDirectly: ApiResponse
let unsampled: string
let sampled: string
const spans: Span[] = []
let closeReceiver: () => Promise<unknown>

/** Starts an OTLP receiver that records spans. */
const startSpanReceiver = async (): Promise<string> => {
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
  closeReceiver = close
  return url
}

beforeAll(async () => {
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: await startSpanReceiver() }
  harness = await startHarness({
    // Tracing is of a whole process.
    processes: ['gateway', 'events', 'uploads', 'media'],
    environment: {
      gateway: tracing,
      // Without a broker, the uploads service does not receive events and has to request them over HTTP.
      events: { ...tracing, RABBITMQ_URL: 'amqp://127.0.0.1:1' },
      uploads: tracing,
      media: tracing,
    },
  })
  gatewayWithoutSamples = await startService('gateway', {
    ...harness.system.environment('gateway'),
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const { api, event } = harness
  const photo = async () => ({ name: 'image.jpg', bytes: await uniquePhoto() })
  sentByForm = await call(api, createUploads, {
    body: uploadForm(event._id, 'Table 4', [await photo()]),
    headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  })
  sentDirectly = await sendDirect(api, event._id, await photo())
  const send = async (gateway: string): Promise<string> => {
    const { body } = await sendFiles(gateway, event._id, [await photo()])
    const uploadId = body.uploads[0]._id as string
    await waitForProcessing(harness, uploadId)
    return uploadId
  }
  unsampled = await send(gatewayWithoutSamples.url)
  sampled = await send(api)
})
afterAll(async () => {
  await gatewayWithoutSamples.stop()
  await harness.system.stop()
  await closeReceiver()
})

/** Waits for a span with this name that `matches`. */
const findSpan = (service: string, name: string, matches: (span: Span) => boolean): Promise<Span> =>
  eventually(
    () => spans.find((span) => span.service === service && span.name === name && matches(span)),
    `the span ${name} of ${service}`,
  )

test('When a guest uploads a photo, then all its spans form one trace, and the trace id of the client is ignored', async () => {
  const { headers, body } = sentByForm
  const uploadId = body.uploads[0]._id as string
  await waitForProcessing(harness, uploadId)

  /** Waits for the span with this name and parent; without a parent, for the root span of the request. */
  const waitForSpan = (service: string, name: string, parent?: Span): Promise<Span> =>
    findSpan(service, name, (span) =>
      parent
        ? span.parentSpanId === parent.spanId
        : readAttribute(span, 'confetti.request_id') === headers.get('x-request-id'),
    )
  const root = await waitForSpan('gateway', 'POST /api/uploads')
  const forwarded = await waitForSpan('gateway', 'POST /api/uploads', root)
  const upload = await waitForSpan('uploads', 'POST /api/uploads', forwarded)
  await waitForSpan('uploads', 'admit', upload)
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
  const traceSpans = spans.filter(({ traceId }) => traceId === root.traceId)
  expect(traceSpans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([root])
  expect(readAttribute(processing, 'confetti.upload_id')).toBe(uploadId)
  // The log lines contain the trace id.
  const lines = harness.system.log.filter((line) => line.includes(root.traceId))
  expect(new Set(lines.map((line) => JSON.parse(line).service))).toEqual(
    new Set(['gateway', 'events', 'uploads', 'media']),
  )
})

test('When a guest sends a photo straight to blob storage, then the trace of its ticket continues in its completion and in media', async () => {
  const uploadId = sentDirectly.body.uploads[0]._id as string
  const completion = await findSpan(
    'uploads',
    'complete upload',
    (span) => readAttribute(span, 'confetti.upload_id') === uploadId,
  )
  const { traceId } = completion
  const waitForSpan = (service: string, name: string): Promise<Span> =>
    findSpan(service, name, (span) => span.traceId === traceId)
  expect((await waitForSpan('uploads', 'POST /api/uploads/tickets')).spanId).toBe(completion.parentSpanId)
  await waitForSpan('gateway', 'POST /api/uploads/tickets')
  await waitForSpan('media', 'decode')
  await waitForSpan('uploads', 'process uploads.media-processed')
})

test('When a trace is not sampled by the gateway, then no service records spans of it', async () => {
  const spansOf = (uploadId: string) =>
    spans.filter((span) => readAttribute(span, 'confetti.upload_id') === uploadId)
  // It was sent later, and a service exports its spans in their order.
  await eventually(() => {
    const names = spansOf(sampled).map(({ name }) => name)
    return ['process media.upload-completed', 'process uploads.media-processed'].every((name) =>
      names.includes(name),
    )
  }, 'the spans of the sampled trace')
  expect(spansOf(unsampled)).toEqual([])
})
