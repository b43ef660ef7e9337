import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { serve } from '@confetti/launcher'
import { call, eventually, sendFiles, uniquePhoto, uploadForm } from '@confetti/test-kit'
import { createUploads } from '@confetti/contracts'
import { afterEach, expect, test } from '@jest/globals'
import { startStand, whenProcessed, type Stand } from './stand.ts'

interface Span {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string } }[]
}

const valueOf = ({ attributes }: Pick<Span, 'attributes'>, name: string): string | undefined =>
  attributes.find(({ key }) => key === name)?.value.stringValue

let stand: Stand | undefined
const closing: (() => unknown)[] = []
afterEach(async () => {
  await stand?.system.stop()
  stand = undefined
  for (const close of closing.splice(0)) await close()
})

/** A receiver of spans, as a collector is one. */
const startReceiver = async () => {
  const spans: Span[] = []
  const { url, close } = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { resourceSpans = [] } = JSON.parse(Buffer.concat(chunks).toString())
      for (const { resource, scopeSpans } of request.url === '/v1/traces' ? resourceSpans : [])
        for (const scope of scopeSpans)
          for (const span of scope.spans)
            spans.push({ ...span, service: valueOf(resource, 'service.name') ?? '' })
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  closing.push(close)
  return { url, spans }
}

/** A server that takes every call and answers none. */
const startSilence = async (): Promise<string> => {
  const server: Server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('When a guest sends a photo, then its whole way there and back is one trace, which the guest did not choose', async () => {
  const receiver = await startReceiver()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  stand = await startStand({
    environment: {
      gateway: traced,
      // Nobody is told of its events, so that it is asked.
      events: { ...traced, RABBITMQ_URL: 'amqp://127.0.0.1:1' },
      uploads: traced,
      media: traced,
    },
  })
  const { api, event } = stand
  const { headers, body } = await call(api, createUploads, {
    body: uploadForm(event._id, 'Table 4', [{ name: 'image.jpg', bytes: await uniquePhoto() }]),
    headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  })
  const uploadId = body.uploads[0]._id as string
  await whenProcessed(stand, uploadId)

  /** The span of this name whose parent is `above`; without one, that in which the call arrived. */
  const spanBelow = (service: string, name: string, above?: Span): Promise<Span> =>
    eventually(
      () =>
        receiver.spans.find(
          (span) =>
            span.service === service &&
            span.name === name &&
            (above
              ? span.parentSpanId === above.spanId
              : valueOf(span, 'confetti.request_id') === headers.get('x-request-id')),
        ),
      `the span ${name} of ${service}`,
    )
  const arrived = await spanBelow('gateway', 'POST /api/uploads')
  const handedOn = await spanBelow('gateway', 'POST /api/uploads', arrived)
  const uploaded = await spanBelow('uploads', 'POST /api/uploads', handedOn)
  for (const phase of ['admit', 'commit']) await spanBelow('uploads', phase, uploaded)
  const received = await spanBelow('uploads', 'receive', uploaded)
  const asked = await spanBelow('uploads', 'GET /internal/events/{eventId}', received)
  await spanBelow('events', 'GET /internal/events/{eventId}', asked)
  const recorded = await spanBelow('uploads', 'record', uploaded)
  await spanBelow('uploads', 'send upload.completed.v1', recorded)
  const processed = await spanBelow('media', 'process media.upload-completed', recorded)
  await spanBelow('media', 'decode', processed)
  await spanBelow('media', 'send media.processed.v1', processed)
  const ready = await spanBelow('uploads', 'process uploads.media-processed', processed)

  expect(arrived.parentSpanId ?? '').toBe('')
  expect(arrived.traceId).toMatch(/^(?!a{32})[0-9a-f]{32}$/)
  expect(ready.traceId).toBe(arrived.traceId)
  const inTrace = receiver.spans.filter(({ traceId }) => traceId === arrived.traceId)
  expect(inTrace.filter(({ parentSpanId }) => !parentSpanId)).toEqual([arrived])
  expect(valueOf(processed, 'confetti.upload_id')).toBe(uploadId)
  // The log names the trace in which to look.
  const lines = stand.system.log.filter((line) => line.includes(arrived.traceId))
  expect(new Set(lines.map((line) => JSON.parse(line).service))).toEqual(
    new Set(['gateway', 'events', 'uploads', 'media']),
  )
})

test('When only some traces are to be kept, then one that is not is left out by all', async () => {
  const receiver = await startReceiver()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  stand = await startStand({
    environment: { gateway: { ...traced, OTEL_TRACES_SAMPLER_ARG: '0' }, uploads: traced, media: traced },
  })
  const { api, event } = stand
  const sent = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
  await whenProcessed(stand, sent.body.uploads[0]._id as string)
  // The last spans are sent when a service stops.
  await stand.system.stop()
  const names = new Set(receiver.spans.map(({ name }) => name))
  stand = undefined
  // The fact about the event comes from a service that traces nothing, so it begins a trace of its own.
  expect([...names]).toEqual(['process uploads.event-created'])
})

test('When nobody takes the spans, then guests do not notice, and services end as always', async () => {
  const silent = { OTEL_EXPORTER_OTLP_ENDPOINT: await startSilence() }
  const refusing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  stand = await startStand({ environment: { gateway: silent, uploads: refusing, media: silent } })
  const { api, event, system } = stand
  for (let photo = 0; photo < 3; photo += 1) {
    const sent = await sendFiles(api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
    expect(sent.status).toBe(201)
    await whenProcessed(stand, sent.body.uploads[0]._id as string)
  }
  const complaints = () => system.log.filter((line) => line.includes('spans are not taken'))
  await eventually(() => complaints().length === 3, 'each service saying so')
  await sendFiles(api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
  for (const name of ['gateway', 'uploads', 'media'] as const)
    expect(await system.replicas(name)[0]?.stop()).toBe(0)
  expect(complaints()).toHaveLength(3)
}, 120_000)
