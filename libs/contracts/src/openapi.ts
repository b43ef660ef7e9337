import { z } from 'zod'
import { errorBody } from './http/errors.ts'
import { takesAccessToken, type RouteContract } from './route-contract.ts'

type Schema = Record<string, unknown>

const errorDescriptions: Record<number, string> = {
  400: 'Something in the request is missing or wrong',
  401: 'No valid access token',
  403: 'Not allowed for this role',
  404: 'Not found',
  408: 'The client stopped sending or sent too slowly',
  409: 'It already exists',
  410: 'Gone: the event is closed, or the link no longer valid',
  413: 'Too large',
  415: 'Unsupported file type or content type',
  416: 'The range is outside of the file',
  429: 'Too many requests; see Retry-After',
  500: 'Internal error',
  502: 'A service closed the connection; see Retry-After',
  503: 'Busy or unavailable; see Retry-After',
  504: 'A service took too long',
}

/** The security requirement: none, an optional token, or a required token. */
const securityOf = (route: RouteContract): Schema => {
  if (!takesAccessToken(route)) return {}
  const bearer = { bearer: [] }
  return { security: route.access === 'guest-or-member' ? [{}, bearer] : [bearer] }
}

const errorStatuses = (route: RouteContract): number[] => {
  const statuses = new Set<number>([...(route.errors ?? []), 429, 500, 502, 503, 504])
  if (route.body ?? route.query) statuses.add(400)
  if (route.body) statuses.add(408).add(413).add(415)
  if (route.params) statuses.add(404)
  // Without a pass, the session of a member counts.
  if (takesAccessToken(route) || route.needsPass) statuses.add(401)
  if (['admin', 'user', 'organiser'].includes(route.access)) statuses.add(403)
  return [...statuses].sort((a, b) => a - b)
}

/** Generates the OpenAPI 3.1 document of `routes`, whose keys become operation ids. */
export const openApiDocument = (routes: Readonly<Record<string, RouteContract>>) => {
  const components: Record<string, Schema> = {}

  const schemaOf = (type: z.ZodType, io: 'input' | 'output', { isClosed = false } = {}): Schema => {
    const {
      $defs,
      $schema: _,
      ...schema
    } = z.toJSONSchema(type, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema._zod.def.type === 'file')
          Object.assign(jsonSchema, { type: 'string', format: 'binary' })
        // Responses may get more fields later; clients must ignore unknown ones.
        delete jsonSchema.additionalProperties
        if (isClosed && zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties = false
      },
    }) as Schema & { $defs?: Record<string, Schema> }
    Object.assign(components, $defs)
    return schema
  }
  const contentOf = (type: z.ZodType, io: 'input' | 'output', contentType = 'application/json') => ({
    [contentType]: { schema: schemaOf(type, io) },
  })
  const parametersOf = (type: z.ZodObject | undefined, location: 'path' | 'query') =>
    Object.entries(type?.shape ?? {}).map(([name, field]) => ({
      name,
      in: location,
      required: location === 'path',
      schema: schemaOf(field as z.ZodType, 'input'),
    }))

  const paths: Record<string, Record<string, Schema>> = {}
  for (const [operationId, route] of Object.entries(routes)) {
    const bodyType = route.multipart ? 'multipart/form-data' : 'application/json'
    paths[route.path] ??= {}
    Object.assign(paths[route.path] as Schema, {
      [route.method]: {
        operationId,
        summary: route.summary,
        ...securityOf(route),
        parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
        ...(route.body && {
          requestBody: {
            required: !route.body.safeParse({}).success,
            content: {
              [bodyType]: {
                schema: schemaOf(route.body, 'input', {
                  isClosed: !route.multipart && !route.allowsUnknownFields,
                }),
              },
            },
          },
        }),
        responses: Object.fromEntries([
          ...Object.entries(route.responses).map(([status, type]) => [
            status,
            {
              description: 'Success',
              ...(route.conditional && { headers: { ETag: { schema: { type: 'string' } } } }),
              content: contentOf(type, 'output', route.download),
            },
          ]),
          ...(route.conditional
            ? [['304', { description: 'What the client has, by its If-None-Match, is still so' }]]
            : []),
          ...errorStatuses(route).map((status) => [
            status,
            { description: errorDescriptions[status] ?? 'Error', content: contentOf(errorBody, 'output') },
          ]),
        ]) as Schema,
      },
    })
  }

  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Confetti',
      version: '1.0.0',
      description: 'Photo and video collection for events.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: components,
    },
  }
  // Zod puts named schemas into each schema; here they are all in `components`.
  return JSON.parse(
    JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as typeof document
}
