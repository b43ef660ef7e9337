import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core'
import { CONTRACT_FILE, type ShellContract } from './contract.ts'

const CONTRACT_NAME = 'shell-contract'

/** Creates a plugin that writes the shell's contract beside its page, for the checks of remotes. */
export const createContractPlugin = (contract: ShellContract): RspackPluginInstance => ({
  apply: (compiler: Compiler) => {
    compiler.hooks.thisCompilation.tap(CONTRACT_NAME, (compilation) => {
      compilation.hooks.processAssets.tap(CONTRACT_NAME, () => {
        const text = `${JSON.stringify(contract, null, 2)}\n`
        compilation.emitAsset(CONTRACT_FILE, new rspack.sources.RawSource(text))
      })
    })
  },
})

const PRELOAD_NAME = 'preload-chunks'

/**
 * Adds preload links to the page for the chunks that the entry imports, so that the browser loads them together with
 * the entry and not after it.
 */
export const preloadChunksPlugin: RspackPluginInstance = {
  apply: (compiler: Compiler) => {
    compiler.hooks.compilation.tap(PRELOAD_NAME, (compilation) => {
      rspack.HtmlRspackPlugin.getCompilationHooks(compilation).alterAssetTags.tapPromise(
        PRELOAD_NAME,
        (data) => {
          const { chunks = [] } = compilation
            .getStats()
            .toJson({ all: false, chunks: true, chunkRelations: true, ids: true })
          const initialIds = chunks.filter(({ initial }) => initial).map(({ id }) => id)
          const importedChunks = chunks.filter(
            ({ initial, parents = [] }) => !initial && parents.some((id) => initialIds.includes(id)),
          )
          data.assetTags.meta.push(
            ...importedChunks
              .flatMap(({ files = [] }) => files)
              .map((file) => ({
                tagName: 'link',
                voidTag: true,
                attributes: {
                  rel: 'preload',
                  as: file.endsWith('.css') ? 'style' : 'script',
                  href: `/${file}`,
                },
              })),
          )
          return Promise.resolve(data)
        },
      )
    })
  },
}
