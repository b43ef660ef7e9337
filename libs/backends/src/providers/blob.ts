import { createRequire } from 'node:module'
import type { BackendDefinition, Provider, ProviderContext } from '../backend.ts'
import { allocatePort, isPortFree } from '../ports.ts'
import { createDockerProvider } from './docker.ts'

const azuriteScript = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js')
const probe = {
  request: 'HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  expectedResponse: /^HTTP\/1\.1/,
}

// The well-known credentials of the Azure storage emulators. They are public.
// https://learn.microsoft.com/azure/storage/common/storage-connect-azurite
const account = 'devstoreaccount1'
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const connectionString = (port: number) =>
  [
    'DefaultEndpointsProtocol=http',
    `AccountName=${account}`,
    `AccountKey=${key}`,
    `BlobEndpoint=http://127.0.0.1:${port}/${account}`,
  ].join(';')

// Client libraries often use a newer API version than Azurite supports.
const defaultFlags = ['--skipApiVersionCheck', '--silent', '--disableTelemetry']

const choosePort = async ({ blobPort }: ProviderContext): Promise<number> => {
  const port = blobPort ?? (await allocatePort())
  if (await isPortFree(port)) return port
  throw new Error(
    `Port ${port} for blob storage is in use. Stop the process that listens on it, or choose another port.`,
  )
}

const azurite: Provider = (context) => {
  const { backendDir } = context
  const createSpec = async () => {
    const port = await choosePort(context)
    const address = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', backendDir]
    const args = [azuriteScript, ...address, ...defaultFlags]
    return {
      url: connectionString(port),
      servers: [{ probe, name: 'azurite', command: process.execPath, args, port }],
    }
  }
  return Promise.resolve({ origin: `Azurite, data in ${backendDir}`, createSpec })
}

const dockerProvider = createDockerProvider({
  probe,
  image: 'mcr.microsoft.com/azure-storage/azurite:3.35.0',
  port: 10000,
  dataPath: '/data',
  url: connectionString,
  command: ['azurite-blob', '--blobHost', '0.0.0.0', '--location', '/data', ...defaultFlags],
  choosePort,
})

export const blob: BackendDefinition = {
  title: 'Blob storage',
  urlVariable: 'BLOB_CONNECTION_STRING',
  providers: [azurite],
  dockerProvider,
  installHint: 'Run npm install, or set BLOB_CONNECTION_STRING.',
}
