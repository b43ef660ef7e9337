import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serviceNames, services } from '@confetti/launcher'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Bundles all services, as images run them. */
export const bundleServices = async (): Promise<void> => {
  const folders = serviceNames.map((name) => services[name].folder)
  await promisify(execFile)(process.execPath, ['libs/bundler/src/bundle-service.ts', ...folders], {
    cwd: root,
  })
}
