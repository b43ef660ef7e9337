import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import express from 'express'

// A minimal upload server: Express and busboy write each file to disk, without any check.

const folder = process.argv[2] ?? '.'

const app = express().post('/api/uploads', async (request, response) => {
  const written: Promise<void>[] = []
  const form = busboy({ headers: request.headers })
  form.on('file', (_, file) => written.push(pipeline(file, createWriteStream(join(folder, randomUUID())))))
  await pipeline(request, form)
  await Promise.all(written)
  response.status(201).json({ files: written.length })
})
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
