import { readFile, rm } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rspack, type Configuration } from '@rspack/core'
import { externalPackages } from './external-packages.ts'

// node libs/bundler/src/bundle-service.ts services/uploads

interface Manifest {
  /** The programs of the service that are bundled: `src/main.ts`, unless this lists them. */
  programs?: string[]
}

/**
 * The configuration for one program: `dist/<name>.js` has our own code, as it was written but for its types, and
 * `dist/<name>.packages.js` the minified code of npm packages. Each program has packages of its own, so that it loads
 * no others.
 */
const configurationOf = (folder: string, program: string): Configuration => {
  const { name } = parse(program)
  const packages = `${name}.packages`
  return {
    mode: 'production',
    target: 'node24',
    context: folder,
    entry: { [name]: `./${program}` },
    output: {
      path: join(folder, 'dist'),
      filename: '[name].js',
      chunkFilename: `${packages}.[id].js`,
      module: true,
      chunkFormat: 'module',
      library: { type: 'module' },
    },
    resolve: { extensions: ['.ts', '.js', '.json'] },
    module: {
      // Files beside a program are found at run time.
      parser: { javascript: { url: false, importMeta: false, worker: false } },
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' } },
        },
      ],
    },
    externalsType: 'module',
    externals: [
      ({ request = '' }) =>
        Promise.resolve(
          externalPackages.some((each) => request === each || request.startsWith(`${each}/`)) && request,
        ),
    ],
    optimization: {
      splitChunks: {
        cacheGroups: {
          default: false,
          defaultVendors: { test: /[/\\]node_modules[/\\]/, name: packages, chunks: 'initial' },
        },
      },
      minimizer: [
        new rspack.SwcJsMinimizerRspackPlugin({
          include: /packages/,
          extractComments: false,
          // Names of functions and classes appear in logs, and packages read them. To compress would take twice as long and
          // save 6 %.
          minimizerOptions: {
            mangle: { keep_fnames: true, keep_classnames: true },
            compress: false,
            format: { asciiOnly: true, comments: false },
          },
        }),
      ],
    },
    devtool: false,
    // None of packages: Node reads a whole map at startup, and keeps it.
    plugins: [new rspack.SourceMapDevToolPlugin({ filename: '[file].map', exclude: /packages/ })],
    ignoreWarnings: [/Module not found/, /Critical dependency/],
  }
}

/** Empties the folder `dist` of the service in `folder`, and returns the configurations of its programs. */
const prepareService = async (folder: string): Promise<Configuration[]> => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  const { programs = ['src/main.ts'] } = manifest
  await rm(join(folder, 'dist'), { recursive: true, force: true })
  return programs.map((program) => configurationOf(folder, program))
}

/** Bundles the programs of the services in `folders` (absolute paths) into their folders `dist`. Throws if one cannot be. */
const bundleServices = async (folders: readonly string[]): Promise<void> => {
  const compiler = rspack((await Promise.all(folders.map(prepareService))).flat())
  const stats = await promisify(compiler.run.bind(compiler))()
  await promisify(compiler.close.bind(compiler))()
  if (!stats || stats.hasErrors()) throw new Error(stats?.toString({ all: false, errors: true }))
}

const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('Usage: node bundle-service.ts <folder of a service>...')
await bundleServices(folders.map((folder) => resolve(folder)))
