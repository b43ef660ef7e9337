/**
 * The most uploads that one request for an archive can select: their ids fit into a JSON body. In its own file, so that
 * importing it does not load zod.
 */
export const MAX_SELECTED_UPLOADS = 3_000
