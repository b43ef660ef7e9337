import { fileURLToPath } from 'node:url'
import { openApiDocument, publicRoutes } from '@confetti/contracts'
import type { Express } from 'express'

const ownFile = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
const swaggerUi = (name: string): string => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))

const files = {
  '/api/docs': ownFile('index.html'),
  '/api/docs/init.js': ownFile('init.js'),
  '/api/docs/favicon-32x32.png': swaggerUi('favicon-32x32.png'),
  '/api/docs/swagger-ui.css': swaggerUi('swagger-ui.css'),
  '/api/docs/swagger-ui-bundle.js': swaggerUi('swagger-ui-bundle.js'),
}

/** Serves `/api/openapi.json` and the page `/api/docs` with all the files that it loads. */
export const mountDocs = (app: Express): void => {
  const document = openApiDocument(publicRoutes)
  app.get('/api/openapi.json', (_, response) => {
    response.locals.route = 'GET /api/openapi.json'
    response.json(document)
  })
  for (const [path, file] of Object.entries(files))
    app.get(path, (_, response) => {
      response.locals.route = 'GET /api/docs'
      response.sendFile(file)
    })
}
