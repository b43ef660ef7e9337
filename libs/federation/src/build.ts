import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { rspack, type Configuration } from '@rspack/core'
import { areas } from './areas.ts'
import { EXPOSED } from './contract.ts'
import { preloadChunks } from './preload-chunks.ts'
import { publishContract } from './publish-contract.ts'
import { federationName, type RemoteName } from './remote.ts'
import { sharedByUs } from './shared-by-us.ts'

// The one build setup of the shell and its remotes. docs/decisions/013 says why it is as it is.

const versionFrom = (packageFile: string): string =>
  (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version

/** The version of a package that a folder's code gets. */
const versionIn = (folder: string) => {
  const require = createRequire(join(folder, 'package.json'))
  return (name: string): string => versionFrom(require.resolve(`${name}/package.json`))
}

const singleton = (version: string) => ({
  singleton: true,
  version,
  requiredVersion: `^${version.split('.')[0]}`,
})

/** Ours grow by themselves: a remote asks for what it was built with, or newer. */
const ours = ({ version }: { version: string }) => ({
  singleton: true,
  version,
  requiredVersion: `^${version}`,
})

/** What exists once on a page, whoever brings it: two copies of one of these would not know of each other. */
const shared = (folder: string) => {
  const versionOf = versionIn(folder)
  return {
    react: singleton(versionOf('react')),
    'react/jsx-runtime': singleton(versionOf('react')),
    'react-dom': singleton(versionOf('react-dom')),
    'react-hot-toast/headless': singleton(versionOf('react-hot-toast')),
    zustand: singleton(versionOf('zustand')),
    // The few parts of react-router-dom that pages use: shared whole, it could not be cut to those.
    '@confetti/federation/router': singleton(versionOf('react-router-dom')),
    // One client, so that an error of it is the same class everywhere.
    '@confetti/api-client': ours(sharedByUs['@confetti/api-client']),
    '@confetti/session': ours(sharedByUs['@confetti/session']),
  }
}

// Phones of the last four years or so; older ones get the page without what they cannot do.
const targets = ['chrome >= 100', 'firefox >= 100', 'safari >= 15.4']

// The shell needs all that it shares at once: one file instead of a dozen.
const sharedInOneFile = {
  name: 'shared',
  chunks: 'async' as const,
  enforce: true,
  test: /[\\/](react|react-dom|scheduler|react-router|react-router-dom|react-hot-toast|zustand|libs[\\/](session|api-client|federation))[\\/]/,
}

interface Options {
  /** The frontend's own folder. */
  folder: string
  name: string
  port: number
  plugin: ConstructorParameters<typeof ModuleFederationPlugin>[0]
  development: boolean
  /** Where its files are, seen from the page: `auto` for those who live at an address of their own. */
  publicPath: '/' | 'auto'
  /** The template of its page, if it has one of its own. */
  page: string | undefined
}

const configuration = ({
  folder,
  name,
  port,
  plugin,
  development,
  publicPath,
  page,
}: Options): Configuration => ({
  context: folder,
  mode: development ? 'development' : 'production',
  target: ['web', 'es2021'],
  // What a remote ships is for the shell; only in development does it have a page of its own.
  entry: page ? { main: './src/index.ts' } : {},
  devtool: development ? 'cheap-module-source-map' : false,
  output: {
    path: join(folder, 'dist'),
    clean: true,
    uniqueName: name,
    // So that what was asked for ahead is what the code asks for.
    crossOriginLoading: 'anonymous',
    // A chunk that hangs fails after this long, so that Retry can ask for it anew; milliseconds.
    chunkLoadTimeout: 20_000,
    publicPath,
    filename: '[name].[contenthash:10].js',
    chunkFilename: '[name].[contenthash:10].js',
    cssFilename: '[name].[contenthash:10].css',
    cssChunkFilename: '[name].[contenthash:10].css',
    assetModuleFilename: '[name].[contenthash:10][ext]',
  },
  resolve: { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
  module: {
    parser: { 'css/auto': { namedExports: false } },
    generator: { 'css/auto': { localIdentName: '[uniqueName]-[local]-[hash:6]' } },
    rules: [
      { test: /\.css$/, type: 'css/auto' },
      { test: /\.(woff2|png|svg|webp)$/, type: 'asset/resource' },
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: {
          env: { targets },
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic', development, refresh: development } },
          },
        },
      },
    ],
  },
  plugins: [
    new ModuleFederationPlugin({
      dts: false,
      manifest: true,
      // The default loads every remote at the start: one that is dead would blank the page.
      shareStrategy: 'loaded-first',
      shared: shared(folder),
      ...plugin,
    }),
    ...(page
      ? [
          new rspack.HtmlRspackPlugin({
            template: page,
            title: name,
            // Pages stand at any depth; their files do not.
            publicPath: '/',
            scriptLoading: 'defer',
            excludeChunks: [plugin.name ?? ''],
          }),
          new rspack.CopyRspackPlugin({ patterns: [{ from: 'static', noErrorOnMissing: true }] }),
        ]
      : []),
    ...(development ? [new ReactRefreshRspackPlugin()] : [preloadChunks]),
  ],
  optimization: {
    ...(publicPath === '/' && { splitChunks: { cacheGroups: { shared: sharedInOneFile } } }),
    minimizer: [
      new rspack.SwcJsMinimizerRspackPlugin({ extractComments: false }),
      new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets } }),
    ],
  },
  // Sizes are watched by `npm run size`, as a guest's phone downloads them.
  performance: false,
  devServer: {
    host: 'localhost',
    port,
    hot: true,
    historyApiFallback: true,
    headers: { 'Access-Control-Allow-Origin': '*' },
    client: { overlay: { errors: true, warnings: false, runtimeErrors: false } },
  },
})

interface FrontendOptions {
  folder: string
  /** Where `npm run dev` serves it. */
  port: number
}

const isDevelopment = (): boolean => process.argv.includes('serve') || process.argv.includes('dev')

/** The shell: brings the federation runtime for all, knows no remote before `/config.json` names it. */
export const shellConfig = ({ folder, port }: FrontendOptions): Configuration => {
  const config = configuration({
    folder,
    name: 'confetti_shell',
    port,
    development: isDevelopment(),
    publicPath: '/',
    page: './src/index.html',
    plugin: {
      name: 'confetti_shell',
      remotes: {},
      experiments: { optimization: { target: 'web' }, provideExternalRuntime: true },
    },
  })
  // In development it takes the remotes of the system that `npm start` runs.
  const proxy = [{ context: ['/config.json'], target: 'http://localhost:3000' }]
  const contract = publishContract({
    shell: versionFrom(join(folder, 'package.json')),
    exposes: EXPOSED,
    areas,
    shared: Object.fromEntries(Object.entries(shared(folder)).map(([name, { version }]) => [name, version])),
  })
  return {
    ...config,
    plugins: [...(config.plugins ?? []), contract],
    devServer: { ...config.devServer, proxy },
  }
}

/** A remote: exposes `routes`. In development it also runs alone, so there it brings a runtime of its own. */
export const remoteConfig = ({
  folder,
  port,
  name,
}: FrontendOptions & { name: RemoteName }): Configuration => {
  const development = isDevelopment()
  return configuration({
    folder,
    name: federationName(name),
    port,
    development,
    publicPath: 'auto',
    page: development ? fileURLToPath(new URL('alone.html', import.meta.url)) : undefined,
    plugin: {
      name: federationName(name),
      filename: development ? 'remote-entry.js' : 'remote-entry.[contenthash:10].js',
      exposes: { [EXPOSED]: './src/routes.tsx' },
      experiments: { optimization: { target: 'web' }, externalRuntime: !development },
    },
  })
}
