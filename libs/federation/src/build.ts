import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { rspack, type Configuration } from '@rspack/core'
import { createContractPlugin, preloadChunksPlugin } from './build-plugins.ts'
import { EXPOSED_MODULE } from './contract.ts'
import { federationName, type RemoteName } from './remote.ts'
import { routeGroups } from './route-groups.ts'
import { getSharedModules, readVersion, withoutCopies } from './shared-modules.ts'
import { readStartTexts } from './start-texts.ts'

// The build configuration of the shell and its remotes. docs/decisions/013 explains it.

/**
 * Smaller files, by those of packages that the build would include: ES modules of the federation runtime, whose CommonJS
 * files can't be tree-shaken and would add 11 kB (gzip) to a guest's download, the router without its warnings, our own
 * way of creating icons, and no texts of the runtime's errors.
 */
const getSmallerFiles = (): Record<string, string> => {
  const { resolve } = createRequire(import.meta.url)
  const findModule = (name: string): string => import.meta.resolve(`@module-federation/${name}`)
  const packages = [
    'webpack-bundler-runtime',
    'runtime',
    'runtime-tools',
    'inject-external-runtime-core-plugin',
  ]
  const router = fileURLToPath(import.meta.resolve('react-router'))
  const errorTexts = new URL('desc.mjs', findModule('error-codes'))
  const createIcon = new URL('../createLucideIcon.mjs', import.meta.resolve('lucide-react/icons/x'))
  return {
    ...Object.fromEntries(
      packages.map((name) => [resolve(`@module-federation/${name}`), fileURLToPath(findModule(name))]),
    ),
    [router]: router.replace('/development/', '/production/'),
    [fileURLToPath(errorTexts)]: fileURLToPath(new URL('error-texts.ts', import.meta.url)),
    [fileURLToPath(createIcon)]: fileURLToPath(import.meta.resolve('@confetti/ui/create-icon')),
  }
}

// Browsers of the last four years, and those of TVs since 2022. What these lack is in the shell's index.html.
export const targets = ['chrome >= 87', 'firefox >= 100', 'safari >= 15.4']

// The shell loads all shared modules at startup: one file instead of a dozen.
const sharedCacheGroup = {
  name: 'shared',
  chunks: 'async' as const,
  enforce: true,
  test: /[\\/](react|react-dom|scheduler|react-router|react-router-dom|react-hot-toast|zustand|@lingui|libs[\\/](session|api-client|federation|i18n|contracts))[\\/]/,
}

interface Options {
  /** The frontend's folder. */
  folder: string
  name: string
  port: number
  plugin: ConstructorParameters<typeof ModuleFederationPlugin>[0]
  development: boolean
  /** The base URL of the emitted files: `auto` for remotes, which have an origin of their own. */
  publicPath: '/' | 'auto'
  /** The HTML template, if the build emits a page. */
  template: string | undefined
  /** What the template inserts. */
  templateParameters?: Readonly<Record<string, string>>
}

const createConfiguration = ({
  folder,
  name,
  port,
  plugin,
  development,
  publicPath,
  template,
  templateParameters = {},
}: Options): Configuration => ({
  context: folder,
  mode: development ? 'development' : 'production',
  target: ['web', 'es2021'],
  // A remote has a page only in development; in production the shell loads what it exposes.
  entry: template ? { main: './src/index.ts' } : {},
  devtool: development ? 'cheap-module-source-map' : false,
  output: {
    path: join(folder, 'dist'),
    clean: true,
    uniqueName: name,
    // The same mode as the preload links, or the browser loads the file twice.
    crossOriginLoading: 'anonymous',
    // In milliseconds. After it the page can offer Retry.
    chunkLoadTimeout: 20_000,
    publicPath,
    filename: '[name].[contenthash:10].js',
    chunkFilename: '[name].[contenthash:10].js',
    cssFilename: '[name].[contenthash:10].css',
    cssChunkFilename: '[name].[contenthash:10].css',
    assetModuleFilename: '[name].[contenthash:10][ext]',
  },
  resolve: { extensions: ['.ts', '.tsx', '.js', '.mjs'], alias: getSmallerFiles() },
  module: {
    parser: { 'css/auto': { namedExports: false } },
    // Begins with the name of the frontend: two of them may have the same module in different versions.
    generator: { 'css/auto': { localIdentName: `${name.replace('confetti_', '')}-[hash:4]-[local]` } },
    rules: [
      { test: /\.css$/, type: 'css/auto' },
      {
        test: /[\\/]locales[\\/].+\.json$/,
        type: 'javascript/esm',
        loader: fileURLToPath(import.meta.resolve('@confetti/i18n/catalogue-loader')),
      },
      { test: /\.(woff2|png|svg|webp)$/, type: 'asset/resource' },
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: {
          env: { targets, bugfixes: true },
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
      // The default loads every remote at startup: one unreachable remote would break the whole page.
      shareStrategy: 'loaded-first',
      shared: getSharedModules(folder),
      ...plugin,
    }),
    ...(template
      ? [
          new rspack.HtmlRspackPlugin({
            template,
            templateParameters,
            // The page is served at paths of any depth, its files only at the root.
            publicPath: '/',
            scriptLoading: 'defer',
            excludeChunks: [plugin.name ?? ''],
          }),
          new rspack.CopyRspackPlugin({ patterns: [{ from: 'static', noErrorOnMissing: true }] }),
        ]
      : []),
    ...(development ? [new ReactRefreshRspackPlugin()] : [preloadChunksPlugin]),
  ],
  optimization: {
    ...(publicPath === '/'
      ? { splitChunks: { cacheGroups: { shared: sharedCacheGroup } } }
      : // Fewer files, which compress better: a guest opens one or two pages. The chunks that index.html preloads are not split.
        { splitChunks: { minSize: 100_000, chunks: ({ name }) => !name?.startsWith('page-') } }),
    minimizer: [
      new rspack.SwcJsMinimizerRspackPlugin({
        extractComments: false,
        minimizerOptions: { ecma: 2020, compress: { passes: 4 }, format: { comments: false } },
      }),
      new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets } }),
    ],
  },
  // `npm run size` checks the sizes instead, as a guest's phone downloads them.
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
  /** The port of `npm run dev`. */
  port: number
}

export const isDevelopment = (): boolean => process.argv.includes('serve') || process.argv.includes('dev')

/**
 * Creates the shell's configuration. The shell provides the federation runtime and the shared modules. The addresses
 * of remotes come from `/config.json` at run time.
 */
export const shellConfig = ({ folder, port }: FrontendOptions): Configuration => {
  const config = createConfiguration({
    folder,
    name: 'confetti_shell',
    port,
    development: isDevelopment(),
    publicPath: '/',
    template: './src/index.html',
    templateParameters: { startTexts: readStartTexts(folder) },
    plugin: {
      name: 'confetti_shell',
      remotes: {},
      // Without the support of manifests, which load.ts reads itself.
      experiments: { optimization: { target: 'web', disableSnapshot: true }, provideExternalRuntime: true },
    },
  })
  // In development the shell uses the API and remotes of the system that `npm start` runs.
  const proxy = [{ context: ['/config.json'], target: 'http://localhost:3000' }]
  const shellVersion = readVersion(join(folder, 'package.json'))
  const contractPlugin = createContractPlugin({
    shell: shellVersion,
    exposes: EXPOSED_MODULE,
    areas: routeGroups,
    shared: Object.fromEntries(
      Object.entries(getSharedModules(folder)).map(([name, { version }]) => [name, version]),
    ),
  })
  const definePlugin = new rspack.DefinePlugin({
    SHELL_VERSION: JSON.stringify(shellVersion),
    HAS_SERVICE_WORKER: JSON.stringify(!isDevelopment()),
  })
  return {
    ...config,
    plugins: [...(config.plugins ?? []), contractPlugin, definePlugin],
    devServer: { ...config.devServer, proxy },
  }
}

/**
 * Creates a remote's configuration. It exposes `./routes`. In development it also has a page, and includes the
 * federation runtime, so that it runs without the shell.
 */
export const remoteConfig = ({
  folder,
  port,
  name,
}: FrontendOptions & { name: RemoteName }): Configuration => {
  const development = isDevelopment()
  return createConfiguration({
    folder,
    name: federationName(name),
    port,
    development,
    publicPath: 'auto',
    template: development ? fileURLToPath(new URL('standalone.html', import.meta.url)) : undefined,
    plugin: {
      name: federationName(name),
      filename: development ? 'remote-entry.js' : 'remote-entry.[contenthash:10].js',
      exposes: { [EXPOSED_MODULE]: './src/routes.tsx' },
      // The shell always has them, so its copies are used: a remote brings none of its own.
      ...(!development && { shared: withoutCopies(getSharedModules(folder)) }),
      experiments: { optimization: { target: 'web' }, externalRuntime: !development },
    },
  })
}
