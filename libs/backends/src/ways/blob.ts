import { createRequire } from 'node:module'
import type { Context, Kind, Way } from '../plan.ts'
import { freePort, isFree } from '../ports.ts'
import { inDocker } from './docker.ts'

const program = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js')
const protocol = {
  hello: 'HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  welcome: /^HTTP\/1\.1/,
}

// The account and key that every Azure storage emulator has; they are public and protect nothing.
const account = 'devstoreaccount1'
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

const connectionString = (port: number) =>
  [
    'DefaultEndpointsProtocol=http',
    `AccountName=${account}`,
    `AccountKey=${key}`,
    `BlobEndpoint=http://127.0.0.1:${port}/${account}`,
  ].join(';')

// Clients are often newer than the newest version of the protocol that Azurite knows.
const manners = ['--skipApiVersionCheck', '--silent', '--disableTelemetry']

const choosePort = async ({ blobPort }: Context): Promise<number> => {
  const port = blobPort ?? (await freePort())
  if (await isFree(port)) return port
  throw new Error(`Port ${port} for blob storage is in use. End what listens there, or choose another port.`)
}

const azurite: Way = (context) => {
  const { folder } = context
  const layout = async () => {
    const port = await choosePort(context)
    const address = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder]
    const args = [program, ...address, ...manners]
    return {
      url: connectionString(port),
      servers: [{ ...protocol, name: 'azurite', command: process.execPath, args, port }],
    }
  }
  return Promise.resolve({ origin: `Azurite, data in ${folder}`, layout })
}

const docker = inDocker({
  ...protocol,
  image: 'mcr.microsoft.com/azure-storage/azurite:3.35.0',
  port: 10000,
  dataPath: '/data',
  url: connectionString,
  command: ['azurite-blob', '--blobHost', '0.0.0.0', '--location', '/data', ...manners],
  choosePort,
})

export const blob: Kind = {
  title: 'Blob storage',
  variable: 'BLOB_CONNECTION_STRING',
  ways: [azurite],
  docker,
  advice: 'Run npm install, or set BLOB_CONNECTION_STRING.',
}
