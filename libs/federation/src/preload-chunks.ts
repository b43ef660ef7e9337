import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core'

const NAME = 'preload-chunks'

/**
 * Names in the page, as links, the chunks that its first code asks for: they are then on their way together with
 * that code, instead of after it.
 */
export const preloadChunks: RspackPluginInstance = {
  apply: (compiler: Compiler) => {
    compiler.hooks.compilation.tap(NAME, (compilation) => {
      rspack.HtmlRspackPlugin.getCompilationHooks(compilation).alterAssetTags.tapPromise(NAME, (data) => {
        const { chunks = [] } = compilation
          .getStats()
          .toJson({ all: false, chunks: true, chunkRelations: true, ids: true })
        const initial = chunks.filter(({ initial }) => initial).map(({ id }) => id)
        const next = chunks.filter(
          ({ initial: isInitial, parents = [] }) => !isInitial && parents.some((id) => initial.includes(id)),
        )
        data.assetTags.meta.push(
          ...next
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
      })
    })
  },
}
