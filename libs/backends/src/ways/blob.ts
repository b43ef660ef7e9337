import { createRequire } from 'node:module'
import type { Kind, Way } from '../plan.ts'
import { freePort, isFree } from '../ports.ts'

const program = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js')
const protocol = {
  hello: 'HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  welcome: 'HTTP/1.1',
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

const azurite: Way = ({ folder, blobPort }) => {
  const layout = async () => {
    const port = blobPort ?? (await freePort())
    if (!(await isFree(port))) {
      throw new Error(
        `Port ${port} for blob storage is in use. End what listens there, or choose another port.`,
      )
    }
    const address = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder]
    // Clients are often newer than the newest version of the protocol that Azurite knows.
    const manners = ['--skipApiVersionCheck', '--silent', '--disableTelemetry']
    const args = [program, ...address, ...manners]
    return {
      url: connectionString(port),
      servers: [{ ...protocol, name: 'azurite', command: process.execPath, args, port }],
    }
  }
  return Promise.resolve({ origin: `Azurite, data in ${folder}`, layout })
}

export const blob: Kind = {
  title: 'Blob storage',
  variable: 'BLOB_CONNECTION_STRING',
  ways: [azurite],
  advice: 'Run npm install, or set BLOB_CONNECTION_STRING.',
}
