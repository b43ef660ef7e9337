import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { BlobServiceClient } from '@azure/storage-blob'
import { eventually } from '@confetti/test-kit'

// Azurite accepts tokens of Microsoft Entra ID by HTTPS only, and checks all of them but the signature.
const azuriteScript = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js')
const TENANT_ID = 'ab1f708d-50f6-404c-a006-d71b2ac7a606'
const IDENTITY_ID = '11059fcc-5514-4800-b5f8-49808b9cfab6'

const freePort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const createCertificate = async (folder: string) => {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  await promisify(execFile)('openssl', ['req', '-x509', '-days', '1', ...key, ...name, '-out', certFile])
  setDefaultCACertificates([...getCACertificates('default'), await readFile(certFile, 'utf8')])
  return { certFile, keyFile }
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const newToken = (): string => {
  const now = Math.floor(Date.now() / 1_000)
  const claims = {
    aud: 'https://storage.azure.com',
    iss: `https://sts.windows.net/${TENANT_ID}/`,
    oid: IDENTITY_ID,
    tid: TENANT_ID,
    iat: now,
    nbf: now - 60,
    exp: now + 3_600,
  }
  return `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}.not-checked`
}

/** Issues tokens of a managed identity, as Azure does to processes that it runs. */
const startTokenEndpoint = async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    const body = {
      access_token: newToken(),
      token_type: 'Bearer',
      resource: 'https://storage.azure.com',
      expires_on: String(Math.floor(Date.now() / 1_000) + 3_600),
    }
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/token`, requests: () => requests, close: () => server.close() }
}

/** Starts a storage account without an account key that services could use: only a managed identity has access. */
export const startAzureAccount = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-azure-'))
  const { certFile, keyFile } = await createCertificate(folder)
  const tokens = await startTokenEndpoint()
  const port = await freePort()
  const address = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder]
  const security = ['--oauth', 'basic', '--cert', certFile, '--key', keyFile]
  const flags = ['--skipApiVersionCheck', '--silent', '--disableTelemetry']
  const azurite = spawn(process.execPath, [azuriteScript, ...address, ...security, ...flags])
  const origin = `https://127.0.0.1:${port}`
  await eventually(
    () =>
      fetch(origin)
        .then(() => true)
        .catch(() => false),
    'Azurite being up',
  )
  const url = `${origin}/devstoreaccount1`
  const getToken = () => Promise.resolve({ token: newToken(), expiresOnTimestamp: Date.now() + 3_600_000 })
  return {
    /** A client with the rights of the identity. */
    service: new BlobServiceClient(url, { getToken }),
    tokenRequests: tokens.requests,
    environment: {
      BLOB_CONNECTION_STRING: '',
      BLOB_ACCOUNT_URL: url,
      IDENTITY_ENDPOINT: tokens.url,
      IDENTITY_HEADER: 'secret of the endpoint',
      NODE_EXTRA_CA_CERTS: certFile,
    },
    stop: async () => {
      tokens.close()
      azurite.kill()
      await once(azurite, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
