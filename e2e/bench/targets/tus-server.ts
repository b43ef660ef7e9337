import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

// tus with its file store, set up as in its documentation.

const directory = process.argv[2] ?? '.'
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) })
const server = createServer((request, response) => void tus.handle(request, response))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
