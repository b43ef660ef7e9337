import { join } from 'node:path'
import { isDevelopment, shellConfig, targets } from '@confetti/federation/build'
import type { Configuration } from '@rspack/core'

const shell: Configuration = {
  ...shellConfig({ folder: import.meta.dirname, port: 3100 }),
  name: 'shell',
}

/** A build of its own, because module federation would add its runtime. The name of the file must not change. */
const serviceWorker: Configuration = {
  name: 'service-worker',
  // The build of the shell empties the folder.
  dependencies: ['shell'],
  context: import.meta.dirname,
  mode: 'production',
  target: ['webworker', 'es2021'],
  entry: './src/service-worker/main.ts',
  devtool: false,
  output: { path: join(import.meta.dirname, 'dist'), filename: 'service-worker.js' },
  resolve: { extensions: ['.ts', '.js', '.mjs'] },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'builtin:swc-loader',
        options: { env: { targets }, jsc: { parser: { syntax: 'typescript' } } },
      },
    ],
  },
}

export default isDevelopment() ? shell : [shell, serviceWorker]
